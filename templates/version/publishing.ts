// Publishes the draft of a template, or one of its cards, as the next version.
import type { Database, Queries } from '#database/connect.ts'
import type { Action } from '../action.ts'
import { lockMasterBoard, nextRevision } from '../masters.ts'
import { unpublishedThings } from './draft.ts'
import { readVersion, type Version } from './version.ts'

/** Publishes a template's draft; undefined if there is no such template. */
export function publishTemplate(
  db: Database,
  { id, actorId }: Action,
  note: string,
): Promise<Version | 'nothing to publish' | undefined> {
  return db.transaction(async (queries) => {
    if (!(await lockMasterBoard(queries, id))) return undefined
    const revision = await publish(queries, { boardId: id, actorId }, await draftOf(queries, id), note)
    if (revision === undefined) return 'nothing to publish'
    return readVersion(queries, id) as Promise<Version>
  })
}

/** Publishes the whole draft, if there is any, and returns the revision of the newest version. The caller has locked the template. */
export async function publishWhole(queries: Queries, by: By): Promise<number> {
  const published = await publish(queries, by, await draftOf(queries, by.boardId), '')
  return published ?? newestRevision(queries, by.boardId)
}

/**
 * Publishes one card if it changed, with its group and the template itself where no version has them yet and the card needs them, and
 * returns the revision of the newest version. Everything else stays a draft. The caller has locked the template.
 */
export async function publishCard(queries: Queries, by: By, cardId: number): Promise<number> {
  const draft = await draftOf(queries, by.boardId)
  const [card] = await queries.sql<{ group_id: number; needs_group: boolean; needs_board: boolean }[]>`
    select c.group_id, c.deleted_at is null and coalesce(published.is_deleted, true) as needs_group,
      c.deleted_at is null and m.published_revision is null as needs_board
    from master_cards c join master_boards m on m.id = c.board_id join master_groups g on g.id = c.group_id
    left join master_group_revisions published on published.group_id = g.id and published.revision = g.published_revision
    where c.id = ${cardId}`
  const isPart = ({ kind, id }: Unpublished) =>
    (kind === 'card' && id === cardId) ||
    (kind === 'group' && id === card?.group_id && card.needs_group) ||
    (kind === 'board' && card?.needs_board === true)
  return (await publish(queries, by, draft.filter(isPart), '')) ?? newestRevision(queries, by.boardId)
}

interface By {
  boardId: number
  actorId: number
}

interface Unpublished {
  kind: 'board' | 'group' | 'card'
  id: number
  /** False if it changed and was changed back. */
  differs: boolean
}

const draftOf = (queries: Queries, boardId: number) =>
  queries.run<Unpublished>(unpublishedThings('$1'), [boardId])

/** 0 if there is none yet, which is so when a card that no version has is deleted everywhere. */
const newestRevision = async (queries: Queries, boardId: number): Promise<number> =>
  (await readVersion(queries, boardId))?.revision ?? 0

/** Returns the revision of the new version, or undefined if nothing differs. */
async function publish(
  queries: Queries,
  { boardId, actorId }: By,
  things: readonly Unpublished[],
  note: string,
): Promise<number | undefined> {
  if (!things.some(({ differs }) => differs)) return undefined
  const { sql } = queries
  const revision = await nextRevision(queries, boardId)
  const cardIds = things.filter(({ kind }) => kind === 'card').map(({ id }) => id)
  await sql`
    update master_boards b set recount_due = true where b.id = ${boardId} and exists (
      select from master_cards m join master_card_revisions last on last.card_id = m.id and last.revision = m.published_revision
      where m.id = any(${cardIds}::bigint[]) and last.is_deleted <> (m.deleted_at is not null))`
  await sql`
    insert into template_versions (board_id, number, revision, note, created_by)
    select ${boardId}, coalesce(max(number), 0) + 1, ${revision}, ${note}, ${actorId} from template_versions
    where board_id = ${boardId}`
  for (const kind of ['board', 'group', 'card'] as const) {
    const ids = things.filter((thing) => thing.kind === kind).map(({ id }) => id)
    if (ids.length > 0)
      await sql.unsafe(
        `with published as (
           update master_${kind}s set published_revision = revision where id = any($2::bigint[]) returning id, revision
         )
         update master_${kind}_revisions r set published_with = $1 from published
         where r.${kind}_id = published.id and r.revision = published.revision`,
        [revision, ids],
      )
  }
  return revision
}
