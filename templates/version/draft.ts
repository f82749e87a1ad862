// Which parts of a template differ from its newest version: its draft changes.
import { boardFields, cardFields, groupFields } from '../rules.ts'

type Kind = 'board' | 'group' | 'card'

/** What makes a published thing another one. Whether a template is active is no part of a version: it applies at once. */
const content = {
  board: boardFields,
  group: [...groupFields, 'rank'],
  card: [...cardFields, 'status', 'is_active', 'group_id', 'rank'],
} as const

const isSame = (kind: Kind) =>
  content[kind].map((name) => `was.${name} is not distinct from now.${name}`).join(' and ')

/** Of a board it does not matter, because deleting a template is no part of a version either. */
const isGone = (kind: Kind) => (kind === 'board' ? 'false' : '(now.deleted_at is not null)')
const wasGone = (kind: Kind) => (kind === 'board' ? 'false' : 'was.is_deleted')

/** `now` is the thing, `was` its state in the newest version. */
const differs = (kind: Kind) => `case
  when was.revision is null then not ${isGone(kind)}
  when ${wasGone(kind)} or ${isGone(kind)} then ${wasGone(kind)} <> ${isGone(kind)}
  else not (${isSame(kind)}) end`

/** The things of the board `board` that changed since they were published, even if they changed back: `kind`, `id`, `differs`. */
const unpublished = (kind: Kind, board: string) => `
  select '${kind}' as kind, now.id, ${differs(kind)} as differs
  from master_${kind}s now
  left join master_${kind}_revisions was on was.${kind}_id = now.id and was.revision = now.published_revision
  where now.${kind === 'board' ? 'id' : 'board_id'} = ${board} and now.revision is distinct from now.published_revision
    and (now.published_revision is not null or not ${isGone(kind)})`

export const unpublishedThings = (board: string) =>
  (['board', 'group', 'card'] as const).map((kind) => unpublished(kind, board)).join(' union all ')

/** True if the template `m` differs from its newest version. */
export const hasDraftChanges = `exists (select from (${unpublishedThings('m.id')}) unpublished where differs)`
