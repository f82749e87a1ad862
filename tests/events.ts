// Compares recorded events with the catalogue.
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import type { Queries } from '#database/connect.ts'
import { catalogue } from '#events/catalogue.ts'

const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code: { optimize: false } })
ajvFormats.default(ajv)
const schemas = new Map<string, object>(Object.entries(catalogue).map(([kind, { data }]) => [kind, data]))

/** The problem with an event, or undefined. */
export function faultOf(kind: string, data: unknown): string | undefined {
  const schema = schemas.get(kind)
  if (!schema) return `${kind} is not in the catalogue`
  // Compiled when it is first needed and then kept by ajv: compiling all kinds takes 0.4 s of each test process.
  const validate = ajv.compile(schema)
  return validate(data) ? undefined : `${kind} ${JSON.stringify(data)}: ${ajv.errorsText(validate.errors)}`
}

/** Asserts that every event of a database matches its kind, unless it was purged. */
export async function assertEventsTrue({ sql }: Queries): Promise<void> {
  const events = await sql<{ kind: string; data: unknown }[]>`
    select kind, data from events where not data ? 'is_purged'`
  assert.deepEqual(
    events.flatMap(({ kind, data }) => faultOf(kind, data) ?? []),
    [],
  )
  const ahead = await sql`
    select e.project_id from events e left join project_versions v on v.project_id = e.project_id
    group by e.project_id, v.version having max(e.id) > coalesce(v.version, 0)`
  assert.deepEqual([...ahead], [], 'no event is newer than the version of its project')
}

/** An event of a megabyte, or of so many kilobytes, which no change writes. */
export async function recordLarge(
  { sql }: Queries,
  projectId: number,
  boardId: number,
  kilobytes = 1000,
): Promise<void> {
  await sql`
    select record_event(${projectId}, ${boardId}, null, null, 'groups.reordered', jsonb_build_object('group_ids', ids))
    from (select jsonb_agg(1000000) as ids from generate_series(1, ${110 * kilobytes}::integer)) many`
}
