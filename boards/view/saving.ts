// Creates, changes and deletes saved views. Only what everyone sees is recorded as an event; it says no names, since nothing would erase them later.
import type { Database } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { type Quotas, refuseGrowth } from '#quotas/quotas.ts'
import { countViews, type Reader, readView, type View } from './view.ts'

interface NewView {
  page: View['page']
  boardId: number | null
  name: string
  parameters: string
  isShared: boolean
}

/** Undefined if the project has no such board. */
export function createView(
  db: Database,
  quotas: Quotas,
  reader: Reader,
  { page, boardId, name, parameters, isShared }: NewView,
): Promise<View | undefined> {
  const { projectId, userId } = reader
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    if (boardId !== null) {
      const boards = await sql`
        select from boards where project_id = ${projectId} and id = ${boardId} and deleted_at is null`
      if (boards.length === 0) return undefined
    }
    await refuseMore(queries, quotas, reader, isShared)
    const [made] = await sql<{ id: number }[]>`
      insert into saved_views (project_id, page, board_id, owner_id, name, parameters, created_by)
      values (${projectId}, ${page}, ${boardId}, ${isShared ? null : userId}, ${name}, ${parameters}, ${userId}) returning id`
    const id = made?.id as number
    if (isShared) await record(queries, userId, id)
    return readView(queries, reader, id)
  })
}

interface WantedView {
  name?: string | null | undefined
  parameters?: string | null | undefined
  is_shared?: boolean | null | undefined
}

/** May the person change what everyone sees? */
interface Rights {
  mayShare: boolean
}

/** Undefined if the person sees no such view. */
export function changeView(
  db: Database,
  quotas: Quotas,
  { id, mayShare, ...reader }: Reader & Rights & { id: number },
  wanted: WantedView,
): Promise<View | 'not allowed' | undefined> {
  const { projectId, userId } = reader
  return change(db, projectId, async (queries) => {
    const before = await readView(queries, reader, id)
    if (!before) return undefined
    const name = wanted.name ?? before.name
    const parameters = wanted.parameters ?? before.parameters
    const isShared = wanted.is_shared ?? before.is_shared
    if ((before.is_shared || isShared) && !mayShare) return 'not allowed'
    if (name === before.name && parameters === before.parameters && isShared === before.is_shared)
      return before
    if (isShared !== before.is_shared) await refuseMore(queries, quotas, reader, isShared)
    await queries.sql`
      update saved_views set name = ${name}, parameters = ${parameters}, owner_id = ${isShared ? null : userId}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    if (before.is_shared || isShared) await record(queries, userId, id)
    return readView(queries, reader, id)
  })
}

/** Undefined if the person sees no such view. */
export function deleteView(
  db: Database,
  { id, mayShare, ...reader }: Reader & Rights & { id: number },
): Promise<'deleted' | 'not allowed' | undefined> {
  const { projectId, userId } = reader
  return change(db, projectId, async (queries) => {
    const before = await readView(queries, reader, id)
    if (!before) return undefined
    if (before.is_shared && !mayShare) return 'not allowed'
    await queries.sql`delete from saved_views where project_id = ${projectId} and id = ${id}`
    if (before.is_shared) await record(queries, userId, id)
    return 'deleted'
  })
}

async function refuseMore(queries: Change, quotas: Quotas, reader: Reader, isShared: boolean) {
  const before = await countViews(queries, reader, isShared)
  refuseGrowth(quotas, 'savedViews', { before, after: before + 1 })
}

const record = (queries: Change, actorId: number, id: number) =>
  recordEvent(queries, { boardId: null, actorId, kind: 'views.changed', data: { view_id: id } })
