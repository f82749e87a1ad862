// Makes the draft of a template what an earlier version is.
import type { Database, Queries } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { onTakenIdentifier } from '../card/card.ts'
import { keepRevisions, lockMasterBoard } from '../masters.ts'
import { boardFields, cardFields, groupFields } from '../rules.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { readWholeTemplate, type WholeTemplate } from '../template/template.ts'
import { readVersion, stateAt } from './version.ts'

/**
 * Restores a version as the draft; nothing reaches projects before it is published. What was added since goes to the trash.
 * Undefined if there is no such template.
 */
export function restoreVersion(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
  number: number,
): Promise<WholeTemplate | 'no version' | 'identifier taken' | undefined> {
  const restoring = db.transaction(async (queries) => {
    if (!(await lockMasterBoard(queries, id))) return undefined
    const version = await readVersion(queries, id, number)
    if (!version) return 'no version'
    const size = await templateSize(queries, id)
    const state = { boardId: id, revision: version.revision }
    const board = await restoreBoard(queries, state)
    const groupIds = await restoreThings(queries, 'group', [...groupFields, 'rank'], state)
    const cardIds = await restoreThings(queries, 'card', cardContent, state)
    if (board || groupIds.length > 0 || cardIds.length > 0)
      await keepRevisions(queries, id, actorId, { board, groupIds, cardIds })
    await refuseLargerTemplate(queries, quotas, id, size)
    return readWholeTemplate(queries, id)
  })
  return restoring.catch(onTakenIdentifier)
}

const cardContent = [...cardFields, 'status', 'is_active', 'sort_order', 'group_id', 'rank']

interface State {
  boardId: number
  revision: number
}

const rowOf = (names: readonly string[], alias: string) =>
  `(${names.map((name) => `${alias}.${name}`).join(', ')})`

async function restoreBoard({ sql }: Queries, { boardId, revision }: State): Promise<boolean> {
  const changed = await sql.unsafe(
    `update master_boards now set ${boardFields.map((name) => `${name} = was.${name}`).join(', ')}
     from (${stateAt('board')}) was
     where now.id = was.board_id and ${rowOf(boardFields, 'now')} is distinct from ${rowOf(boardFields, 'was')} returning now.id`,
    [boardId, revision],
  )
  return changed.length > 0
}

/**
 * Returns the groups or cards that changed. Each had its rank in its list before, and no other ever has it. So only on the way there can
 * two of them have one rank or identifier: the ones that change theirs give them up first.
 */
async function restoreThings(
  { sql }: Queries,
  kind: 'group' | 'card',
  content: readonly string[],
  { boardId, revision }: State,
): Promise<number[]> {
  const wanted = `select * from (${stateAt(kind)}) state where not is_deleted`
  const unique = kind === 'card' ? ['group_id', 'rank', 'unique_identifier'] : ['rank', 'board_id']
  const run = (statement: string) =>
    sql.unsafe<{ id: number }[]>(`with was as materialized (${wanted}) ${statement}`, [boardId, revision])
  const gone = await run(`
    update master_${kind}s now set deleted_at = now() where now.board_id = $1 and now.deleted_at is null
      and not exists (select from was where was.${kind}_id = now.id) returning now.id`)
  await run(`
    update master_${kind}s now set rank = list_end()${kind === 'card' ? ', unique_identifier = null' : ''} from was
    where now.id = was.${kind}_id and ${rowOf(unique, 'now')} is distinct from ${rowOf(unique, 'was')} returning now.id`)
  const restored = await run(`
    update master_${kind}s now set deleted_at = null, ${content.map((name) => `${name} = was.${name}`).join(', ')}
    from was where now.id = was.${kind}_id and (now.deleted_at is not null
      or ${rowOf(content, 'now')} is distinct from ${rowOf(content, 'was')}) returning now.id`)
  return [...gone, ...restored].map(({ id }) => id)
}
