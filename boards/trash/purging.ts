// Erases the texts of things that were deleted more than 30 days ago; jobs/housekeeping.ts runs it every hour.
import { findByKeys } from '#database/by-keys.ts'
import type { Database, Queries } from '#database/connect.ts'
import { forgetEventsOf, rolloutKinds } from '#events/forgetting.ts'

/** The card came back with its group. */
const amongRestored = `e.kind = 'group.restored'
  and e.data->'cards' @> jsonb_build_array(jsonb_build_object('card_id', emptied.id))`

/** The texts of each kind of thing, and the conditions for its events `e`; each condition has an index. */
const things = {
  cards: {
    texts: ['title', 'description', 'short_description', 'evaluation_detail', 'mentions'],
    events: ['e.card_id = emptied.id', amongRestored],
  },
  groups: { texts: ['title', 'description'], events: [namedIn('group')] },
  // Without the events of cards, which may be on another board by now, and of rollouts, which lose the titles of the cards and groups that they name.
  boards: {
    texts: ['title', 'description'],
    events: [
      `e.board_id = emptied.id and e.card_id is null and e.kind not in (${rolloutKinds})`,
      namedIn('board'),
    ],
  },
  tags: { texts: ['name', 'removed_from'], events: [namedIn('tag')] },
}

function namedIn(noun: string) {
  return `e.kind like '${noun}.%' and e.data->'${noun}_id' = to_jsonb(emptied.id)`
}

/** Small enough that a step stays well below the statement timeout. */
const maxInStep = 100

interface Emptied {
  project_id: number
  id: number
}

/** One step: clears texts of a table, also of rows that others refer to at the moment, runs the rest of the statement with the `emptied` rows, and returns them. */
const emptying = (table: string, [name, ...texts]: readonly string[], rest: string) => `
  with old as materialized (
    select project_id, id from ${table} where deleted_at < kept_since() and ${name} <> ''
    limit ${maxInStep} for no key update skip locked
  ), emptied as (
    update ${table} t set ${[`${name} = ''`, ...texts.map((text) => `${text} = null`)].join(', ')}
    from old where t.project_id = old.project_id and t.id = old.id returning t.project_id, t.id
  ), ${rest}
  select project_id, id from emptied`

const emptyComments = emptying(
  'comments',
  ['comment', 'mentions'],
  `unread as (
    delete from comment_reads r using emptied
    where r.project_id = emptied.project_id and r.comment_id = emptied.id
  )`,
)

/** The part of an event that stays until it is old (events/forgetting.ts): ids and counts. */
const withoutTexts = `(
  select coalesce(jsonb_object_agg(key, value) filter (where jsonb_typeof(value) = 'number'), '{}') || '{"is_purged": true}'
  from jsonb_each(e.data))`

/** Events of rollouts have the titles of several things, and lose only the titles of purged things. */
const withoutNames = (noun: string) => `
  unnamed as (
    update events e set data = jsonb_set(e.data, '{named}', (
      select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(e.data->'named') one where not (one->>'thing' = '${noun}' and exists (
        select from emptied where emptied.project_id = e.project_id and to_jsonb(emptied.id) = one->'id'))))
    from (select distinct project_id from emptied) own
    where e.project_id = own.project_id and (e.kind = 'template.rolled_out' or e.data ? 'rollout_id') and exists (
      select from emptied where emptied.project_id = e.project_id
        and e.data->'named' @> jsonb_build_array(jsonb_build_object('thing', '${noun}', 'id', emptied.id)))
  )`

function emptyThings(table: keyof typeof things) {
  const { texts, events } = things[table]
  const isNamed = table === 'cards' || table === 'groups'
  const found = events.map(
    (one) =>
      `select e.project_id, e.id from emptied join events e on e.project_id = emptied.project_id and ${one}`,
  )
  return emptying(
    table,
    texts,
    `found as (${found.join(' union ')}), silenced as (
      update events e set data = ${withoutTexts} from found
      where e.project_id = found.project_id and e.id = found.id and not e.data ? 'is_purged'
    )${isNamed ? `, ${withoutNames(table.slice(0, -1))}` : ''}`,
  )
}

const inSteps =
  (statement: string, purgeMore?: (queries: Queries, emptied: readonly Emptied[]) => Promise<void>) =>
  async (db: Database, task?: { signal: AbortSignal }) => {
    const step = () =>
      db.transaction(async (queries) => {
        await findByKeys(queries)
        const emptied = await queries.sql.unsafe<Emptied[]>(statement)
        await purgeMore?.(queries, emptied)
        return emptied.length
      })
    while ((await step()) === maxInStep) task?.signal.throwIfAborted()
  }

/** Nobody can open them any more. */
async function deleteViews({ sql }: Queries, boards: readonly Emptied[]): Promise<void> {
  const projectIds = boards.map((board) => board.project_id)
  const boardIds = boards.map(({ id }) => id)
  await sql`
    delete from saved_views where project_id = any(${projectIds}::bigint[]) and board_id = any(${boardIds}::bigint[])`
}

/**
 * Each is a job of this name: comments, and the texts of cards, groups, boards and tags with those in their events. The rows
 * stay, because a copy's row keeps a template from bringing it back. Saved views of boards are deleted.
 */
export const purges = {
  purgeComments: inSteps(emptyComments),
  purgeCards: inSteps(emptyThings('cards'), (queries, cards) => forgetEventsOf(queries, 'card', cards)),
  purgeGroups: inSteps(emptyThings('groups')),
  purgeBoards: inSteps(emptyThings('boards'), async (queries, boards) => {
    await deleteViews(queries, boards)
    await forgetEventsOf(queries, 'board', boards)
  }),
  purgeTags: inSteps(emptyThings('tags')),
}
