import { changesOf, isEmpty } from '#boards/changes.ts'
import { assignments } from '#database/assignments.ts'
import type { Database } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import type { Action } from '../action.ts'
import { keepRevisions, lockMasterBoard } from '../masters.ts'
import { refuseLargerTemplate, templateSize } from '../size.ts'
import { readTemplate, type Template } from './template.ts'

type Changeable = 'title' | 'description' | 'icon' | 'color' | 'is_active'

type WantedTemplate = { [Name in Changeable]?: Template[Name] | null | undefined }

/** Changes a template's own fields; projects receive them with the next rollout. Undefined if there is no such template. */
export function changeTemplate(
  db: Database,
  quotas: Quotas,
  { id, actorId }: Action,
  wanted: WantedTemplate,
): Promise<Template | undefined> {
  return db.transaction(async (queries) => {
    const isThere = await lockMasterBoard(queries, id)
    const before = isThere && (await readTemplate(queries, id))
    if (!before) return undefined
    const changes = changesOf(before, wanted, { kept: ['title', 'is_active'] })
    if (isEmpty(changes)) return before
    const size = await templateSize(queries, id)
    await queries.sql`update master_boards set ${assignments(queries, changes.values)} where id = ${id}`
    await keepRevisions(queries, id, actorId, { board: true })
    await refuseLargerTemplate(queries, quotas, id, size)
    return readTemplate(queries, id)
  })
}
