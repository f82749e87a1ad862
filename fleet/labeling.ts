// Labels of projects, which superadmins give and take. They are words of the operator; in the project, those who manage it see them.
import type { Database, Queries } from '#database/connect.ts'
import { countProjects } from './counting.ts'
import { searchedText } from './figures.ts'

export const mostLabels = 20
export const longestLabel = 50

export interface Labels {
  add: readonly string[]
  remove: readonly string[]
}

/** Labels are shown, searched and listed as one line. */
export const isOneLine = (text: string): boolean => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)

const asLabel = (text: string) => text.trim().toLowerCase()

/** Gives labels to projects and takes others from them; nothing changes if one of them would have too many. */
export function labelProjects(
  db: Database,
  { projectIds, actorId }: { projectIds: readonly number[]; actorId: number },
  { add, remove }: Labels,
): Promise<'labeled' | 'too many'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const ids = projectIds as number[]
    const [added, removed] = [add, remove].map((labels) => JSON.stringify(labels.map(asLabel))) as [
      string,
      string,
    ]
    // So that two people cannot exceed the limit together, and the figures are those of the last change.
    await sql`select from projects where id = any(${ids}::bigint[]) order by id for no key update`
    const [over] = await queries.run<{ id: number }>(overStatement, [ids, added, removed, mostLabels])
    if (over) return 'too many'
    await queries.run(removeStatement, [ids, removed])
    await queries.run(addStatement, [ids, added, actorId])
    await countProjects(queries, await withoutFigures(queries, ids))
    await queries.run(updateStatement, [ids])
    return 'labeled'
  })
}

/** Labels change nothing else that is counted, so that the others need not be counted again. */
async function withoutFigures({ sql }: Queries, ids: number[]): Promise<number[]> {
  const found = await sql<{ id: number }[]>`
    select id from unnest(${ids}::bigint[]) id where not exists (select from project_figures where project_id = id)`
  return found.map(({ id }) => id)
}

const labelsIn = (parameter: string) => `jsonb_array_elements_text(${parameter}::text::jsonb)`

/** A project that would have too many: $1 projects, $2 labels to add, $3 to remove, $4 the most. */
const overStatement = `
  select id from unnest($1::bigint[]) id where (
    select count(*) from (
      select label from project_labels where project_id = id and label not in (select ${labelsIn('$3')})
      union select ${labelsIn('$2')}) labels) > $4
  limit 1`

const removeStatement = `
  delete from project_labels where project_id = any($1::bigint[]) and label in (select ${labelsIn('$2')})`

const addStatement = `
  insert into project_labels (project_id, label, created_by)
  select id, label, $3::bigint from unnest($1::bigint[]) id, ${labelsIn('$2')} label order by id, label
  on conflict (project_id, label) do nothing`

const updateStatement = `
  update project_figures f set labels = given.labels, searched = ${searchedText('f.name_key', 'given.labels')}
  from (
    select id, array(select label from project_labels where project_id = id order by label) as labels from unnest($1::bigint[]) id
  ) given
  where f.project_id = given.id`

/** Those of one project, by name. */
export async function labelsOf({ sql }: Queries, projectId: number): Promise<string[]> {
  const rows = await sql<{ label: string }[]>`
    select label from project_labels where project_id = ${projectId} order by label`
  return rows.map(({ label }) => label)
}

interface LabelInUse {
  label: string
  projects_count: number
}

/** The labels in use, the most frequent first. Of all platforms only the deleted and archived projects are looked up, each in their index, because they are few. */
export function listLabels({ sql }: Queries, platformId: number | null): Promise<LabelInUse[]> {
  const isLive =
    platformId === null
      ? sql`l.project_id not in (
          select id from projects where deleted_at is not null and purged_at is null
          union all select project_id from project_figures where archived_at is not null)`
      : sql`l.project_id in (select id from projects where platform_id = ${platformId} and deleted_at is null and archived_at is null)`
  return sql<LabelInUse[]>`
    select l.label, count(*) as projects_count from project_labels l where ${isLive}
    group by l.label order by count(*) desc, l.label limit 1000`
}
