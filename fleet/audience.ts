// Audiences: filters of the operator's list under a name. Rollouts go to the projects that match when they are planned.
import { integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import { type Database, type Queries, violates } from '#database/connect.ts'
import { type Filter, filterNames, filterOutput } from './filter.ts'

export const audience = record({
  id: integer({ about: 'Names the audience in `audiences/update` and `audiences/delete`.' }),
  platform_id: integer(),
  name: text(),
  ...filterOutput,
  created_by: nullable(integer()),
  created_by_name: nullable(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export type Audience = (typeof audience)['static']

const unfiltered = Object.fromEntries(filterNames.map((name) => [name, null])) as Record<
  (typeof filterNames)[number],
  null
>

interface Row {
  id: number
  platform_id: number
  name: string
  filter: Filter
  created_by: number | null
  created_by_name: string | null
  created_at: string
  updated_at: string
}

const shown = ({ filter, ...row }: Row): Audience => ({ ...row, ...unfiltered, ...filter })

const columns = `a.id, a.platform_id, a.name, a.filter, a.created_by, u.name as created_by_name,
  wire_time(a.created_at) as created_at, wire_time(a.updated_at) as updated_at`
const tables = 'audiences a left join users u on u.id = a.created_by'

export async function readAudience(queries: Queries, id: number): Promise<Audience | undefined> {
  const [found] = await queries.run<Row>(`select ${columns} from ${tables} where a.id = $1`, [id])
  return found && shown(found)
}

/** The audiences of a platform, or of all, by name. */
export async function listAudiences(queries: Queries, platformId: number | null): Promise<Audience[]> {
  const rows = await queries.run<Row>(
    `select ${columns} from ${tables} where $1::bigint is null or a.platform_id = $1 order by lower(a.name), a.id`,
    [platformId],
  )
  return rows.map(shown)
}

const mostAudiences = 200

/** Things that a filter names and its platform does not have. */
export type Missing = readonly ('template_id' | 'template_version' | 'version_id' | 'project_ids')[]

type Saved = Audience | 'name taken' | { missing: Missing }

export function createAudience(
  db: Database,
  { platformId, actorId }: { platformId: number; actorId: number },
  { name, ...wanted }: Filter & { name: string },
): Promise<Saved | 'too many'> {
  const creation = db.transaction(async (queries) => {
    const { sql } = queries
    // So that two people cannot exceed the limit together.
    await sql`select from platforms where id = ${platformId} for no key update`
    const [most] =
      await sql`select from audiences where platform_id = ${platformId} offset ${mostAudiences - 1} limit 1`
    if (most) return 'too many'
    const missing = await missingIn(queries, platformId, wanted)
    if (missing.length > 0) return { missing }
    const [made] = await sql<{ id: number }[]>`
      insert into audiences (platform_id, name, filter, created_by)
      values (${platformId}, ${name}, ${sql.json(setIn(wanted))}, ${actorId}) returning id`
    return (await readAudience(queries, made?.id as number)) as Audience
  })
  return creation.catch(onTakenName)
}

/** Fields that are absent stay, null clears one; undefined if there is no such audience. */
export function changeAudience(
  db: Database,
  id: number,
  { name, ...wanted }: Filter & { name?: string | null | undefined },
): Promise<Saved | undefined> {
  const changing = db.transaction(async (queries) => {
    const { sql } = queries
    const [before] = await sql<{ platform_id: number; name: string; filter: Filter }[]>`
      select platform_id, name, filter from audiences where id = ${id} for update`
    if (!before) return undefined
    const filter = setIn({ ...before.filter, ...wanted })
    // Something that the filter names may have been deleted since; the audience can still be changed.
    const template: Filter = 'template_id' in wanted || 'template_version' in wanted ? filter : {}
    const { template_id = null, template_version = null } = template
    const missing = await missingIn(queries, before.platform_id, { ...wanted, template_id, template_version })
    if (missing.length > 0) return { missing }
    await sql`
      update audiences set name = ${name ?? before.name}, filter = ${sql.json(filter)}, updated_at = now() where id = ${id}`
    return readAudience(queries, id)
  })
  return changing.catch(onTakenName)
}

/** False if there is no such audience. */
export async function deleteAudience({ sql }: Queries, id: number): Promise<boolean> {
  const deleted = await sql`delete from audiences where id = ${id} returning id`
  return deleted.length > 0
}

function onTakenName(error: unknown): 'name taken' {
  if (!violates(error, 'audiences_name')) throw error
  return 'name taken'
}

/** The fields that filter something. */
const setIn = (wanted: Filter): Filter =>
  Object.fromEntries(
    filterNames
      .map((name) => [name, wanted[name]])
      .filter(([, value]) => value !== null && value !== undefined),
  )

async function missingIn(
  queries: Queries,
  platformId: number,
  { template_id, template_version, version_id, project_ids }: Filter,
): Promise<Missing> {
  const [found] = await queries.run<Record<Missing[number], boolean>>(missingStatement, [
    platformId,
    template_id ?? null,
    template_version ?? null,
    version_id ?? null,
    project_ids ?? null,
  ])
  return Object.entries(found ?? {}).flatMap(([name, isMissing]) =>
    isMissing ? [name as Missing[number]] : [],
  )
}

/** $1 the platform; the others are null if they are not asked for: $2 the template, $3 its version, $4 a theme version, $5 projects. */
const missingStatement = `
  select $2::bigint is not null and not exists (
      select from master_boards where id = $2 and platform_id = $1 and deleted_at is null) as template_id,
    $3::integer is not null and not exists (
      select from template_versions where board_id = $2 and number = $3) as template_version,
    $4::bigint is not null and not exists (
      select from theme_versions where id = $4 and platform_id = $1) as version_id,
    exists (
      select from unnest($5::bigint[]) picked (id) where not exists (
        select from projects p where p.id = picked.id and p.platform_id = $1 and p.kind = 'customer' and p.deleted_at is null)) as project_ids`
