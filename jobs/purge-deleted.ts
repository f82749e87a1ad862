import { findByKeys } from '#database/by-keys.ts'
import type { Database } from '#database/connect.ts'
import type { Task } from './queue.ts'

/** Where the words of a thing are, and which events `e` tell of it; each of the ways has an index. */
const things = {
  cards: { words: ['title', 'description', 'short_description'], told: ['e.card_id = emptied.id'] },
  groups: { words: ['title', 'description'], told: [toldAs('group')] },
  boards: { words: ['title', 'description'], told: ['e.board_id = emptied.id', toldAs('board')] },
  tags: { words: ['name'], told: [toldAs('tag')] },
}

function toldAs(noun: string) {
  return `e.kind like '${noun}.%' and e.data->'${noun}_id' = to_jsonb(emptied.id)`
}

/** So few that a step ends well before a statement has to, however much was deleted at once. */
const mostInStep = 100

/** A step: empties some of a table, does the rest with what it has `emptied`, and counts. */
const emptying = (table: string, [name, ...texts]: readonly string[], rest: string) => `
  with old as materialized (
    select project_id, id from ${table} where deleted_at < kept_since() and ${name} <> ''
    limit ${mostInStep} for update skip locked
  ), emptied as (
    update ${table} t set ${[`${name} = ''`, ...texts.map((text) => `${text} = null`)].join(', ')}
    from old where t.project_id = old.project_id and t.id = old.id returning t.project_id, t.id
  ), ${rest}
  select count(*) as count from emptied`

const emptyComments = emptying(
  'comments',
  ['comment'],
  `unread as (
    delete from comment_reads r using emptied
    where r.project_id = emptied.project_id and r.comment_id = emptied.id
  )`,
)

/** What is left of an event: its ids and counts. */
const withoutWords = `(
  select coalesce(jsonb_object_agg(key, value) filter (where jsonb_typeof(value) = 'number'), '{}') || '{"is_purged": true}'
  from jsonb_each(e.data))`

function emptyThings(table: keyof typeof things) {
  const { words, told } = things[table]
  const events = told.map(
    (one) =>
      `select e.project_id, e.id from emptied join events e on e.project_id = emptied.project_id and ${one}`,
  )
  return emptying(
    table,
    words,
    `told as (${events.join(' union ')}), silenced as (
      update events e set data = ${withoutWords} from told
      where e.project_id = told.project_id and e.id = told.id and not e.data ? 'is_purged'
    )`,
  )
}

const inSteps = (statement: string) => async (db: Database, task?: Task) => {
  const step = () =>
    db.transaction(async (queries) => {
      await findByKeys(queries)
      const [done] = await queries.sql.unsafe<{ count: number }[]>(statement)
      return done?.count
    })
  while ((await step()) === mostInStep) task?.signal.throwIfAborted()
}

/**
 * The jobs that empty what was deleted long ago: comments go, and of cards, groups, boards and tags the words go, those in their
 * history too. The rows stay: a copy's row is what keeps a template from bringing it back.
 */
export const purges = {
  purgeComments: inSteps(emptyComments),
  purgeCards: inSteps(emptyThings('cards')),
  purgeGroups: inSteps(emptyThings('groups')),
  purgeBoards: inSteps(emptyThings('boards')),
  purgeTags: inSteps(emptyThings('tags')),
}
