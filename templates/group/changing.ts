import { changesOf, isEmpty } from '#boards/changes.ts'
import type { Group } from '#boards/group/group.ts'
import { assignments } from '#database/assignments.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockBoardOf } from '../masters.ts'
import type { groupFields } from '../rules.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { readTemplateGroup } from './group.ts'

type WantedGroup = { [Name in (typeof groupFields)[number]]?: Group[Name] | null | undefined }

/** Changes a template's group; projects receive it with the next rollout. Undefined if there is no such group. */
export function changeTemplateGroup(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
  wanted: WantedGroup,
): Promise<Group | undefined> {
  return db.transaction(async (queries) => {
    const board = await lockBoardOf(queries, 'master_groups', id)
    const before = board && (await readTemplateGroup(queries, id))
    if (!before) return undefined
    const changes = changesOf(before, wanted, { kept: ['title', 'is_collapsed'] })
    if (isEmpty(changes)) return before
    const size = await templateSize(queries, board.id)
    await queries.sql`update master_groups set ${assignments(queries, changes.values)} where id = ${id}`
    await keepRevisions(queries, board.id, actorId, { groupIds: [id] })
    await refuseLargerTemplate(queries, quotas, board.id, size)
    return readTemplateGroup(queries, id)
  })
}
