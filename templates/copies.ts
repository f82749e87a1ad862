// What a project can see of a card that came from a template: its origin and the fields the project changed.
import { assignments } from '#database/assignments.ts'
import type { Queries } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { addToGroups, takeFromGroups } from '#quotas/room.ts'
import { type CardField, cardFields, changedFields, type Fields } from './rules.ts'

/** What can be reset to the template: the fields, the card's place, and whether it is active. */
export const resettable = [...cardFields, 'place', 'is_active'] as const

export type Resettable = (typeof resettable)[number]

/** Whether the project has changed a field of a copy `c` since it received the revision `base`, as SQL. */
export const isChanged: Readonly<Record<Resettable, string>> = {
  ...(Object.fromEntries(
    cardFields.map((name) => [name, `c.${name} is distinct from base.${name}`]),
  ) as Record<CardField, string>),
  place: 'c.is_moved',
  is_active: 'not c.is_active',
}

/** What a project can customize of a card: what it changed since it received it, and that it wants no rollout to change it. */
export const customizable = [...resettable, 'takes_updates'] as const

export type Customizable = (typeof customizable)[number]

export const customizations: Readonly<Record<Customizable, string>> = {
  ...isChanged,
  takes_updates: 'not c.takes_updates',
}
export const isCustomized = Object.values(customizations).join(' or ')

/** For a template's card `m`: joins what `isInTemplate` asks for. */
export const withTemplate = `
  join master_boards template on template.id = m.board_id
  left join master_card_revisions published on published.card_id = m.id and published.revision = m.published_revision`

/** For a template's card `m` with its template: its group, and both as the newest version has them, not the draft. */
export const withGroup = `
  join master_groups g on g.id = coalesce(published.group_id, m.group_id)
  left join master_group_revisions shown_group on shown_group.group_id = g.id and shown_group.revision = g.published_revision
  cross join lateral (select g.id as group_id, coalesce(shown_group.title, g.title) as group_title, coalesce(published.title, m.title) as title,
    coalesce(shown_group.rank, g.rank) as group_rank, coalesce(published.rank, m.rank) as rank) shown`

/** Whether copies of the card `m` follow their template: its deletion counts once it is published. Otherwise they are ordinary cards. */
export const isInTemplate =
  'template.deleted_at is null and not coalesce(published.is_deleted, m.deleted_at is not null)'

interface Provenance {
  master_card_id: number
  master_board_id: number
  master_board_title: string
  /** The revision that the copy last received, and the newest one that was published. */
  revision: number
  newest_revision: number
  /** The numbers of the versions with these; null for what was received before there were versions. */
  version: number | null
  newest_version: number | null
  changed_fields: Resettable[]
  /** False if the project wants no rollout to change the card. */
  takes_updates: boolean
  /** What the template has in the changed fields, as text. */
  template_values: { field: CardField; value: string | null }[]
}

type Base = Fields<CardField> & { rank: number; group_id: number }

interface Copy {
  copy: Fields<CardField>
  base: Base
  group_id: number
  sort_order: number
  is_moved: boolean
  is_active: boolean
  takes_updates: boolean
  master_card_id: number
  master_board_id: number
  master_board_title: string
  revision: number
  newest_revision: number
  version: number | null
  newest_version: number | null
}

/** The board's title is the one that the project received: a new title is visible to superadmins only until it is rolled out. */
const versionOf = (state: string) =>
  `(select number from template_versions v where v.board_id = ${state}.board_id and v.revision = ${state}.published_with)`

const copyStatement = `
  select row_to_json(c) as copy, row_to_json(base) as base, c.group_id, c.sort_order, c.is_moved, c.is_active, c.takes_updates, c.master_card_id,
    m.board_id as master_board_id, received.title as master_board_title, c.master_revision as revision,
    coalesce(newest.revision, c.master_revision) as newest_revision, ${versionOf('base')} as version,
    coalesce(${versionOf('newest')}, ${versionOf('base')}) as newest_version
  from cards c
  join master_cards m on m.id = c.master_card_id
  join master_boards template on template.id = m.board_id and template.deleted_at is null
  left join master_card_revisions newest on newest.card_id = m.id and newest.revision = m.published_revision
  join boards b on b.project_id = $1 and b.master_board_id = m.board_id
  join master_board_revisions received on received.board_id = m.board_id and received.revision = b.master_revision
  join master_card_revisions base on base.card_id = m.id and base.revision = c.master_revision
  where c.project_id = $1 and c.id = $2 and c.deleted_at is null and coalesce(not newest.is_deleted, m.deleted_at is null)`

/** Undefined for an ordinary card: one that came from no template, or whose template card is gone. */
async function readCopy(queries: Queries, projectId: number, cardId: number): Promise<Copy | undefined> {
  const [found] = await queries.run<Copy>(copyStatement, [projectId, cardId])
  return found
}

const changesOf = ({ base, copy, is_moved, is_active }: Copy): Resettable[] => [
  ...changedFields(cardFields, base, copy),
  ...(is_moved ? (['place'] as const) : []),
  ...(is_active ? [] : (['is_active'] as const)),
]

export async function readProvenance(
  queries: Queries,
  projectId: number,
  cardId: number,
): Promise<Provenance | null> {
  const found = await readCopy(queries, projectId, cardId)
  if (!found) return null
  const { master_card_id, master_board_id, master_board_title, revision, newest_revision } = found
  const { version, newest_version, takes_updates } = found
  const { base, copy } = found
  const template_values = changedFields(cardFields, base, copy).map((field) => ({
    field,
    value: base[field] === null ? null : String(base[field]),
  }))
  return {
    ...{ master_card_id, master_board_id, master_board_title, revision, newest_revision },
    ...{ changed_fields: changesOf(found), version, newest_version, template_values, takes_updates },
  }
}

/**
 * Resets a copy to what it last received from its master, so that the next rollout finds it unchanged. Returns which of the
 * given fields the project had changed. The caller has locked the project.
 */
export async function resetCopy(
  queries: Queries,
  quotas: Quotas,
  { projectId, cardId }: { projectId: number; cardId: number },
  wanted: readonly Resettable[],
): Promise<Resettable[] | 'no master' | 'no group'> {
  const { sql } = queries
  const found = await readCopy(queries, projectId, cardId)
  if (!found) return 'no master'
  const { base } = found
  const reset = changesOf(found).filter((name) => wanted.includes(name))
  const fields = reset.filter((name) => name !== 'place' && name !== 'is_active')
  const values = {
    ...Object.fromEntries(fields.map((name) => [name, base[name]])),
    ...(reset.includes('is_active') && { is_active: true }),
  }
  // First, because without that group nothing may change.
  if (reset.includes('place') && !(await putBack(queries, quotas, { projectId, cardId }, found)))
    return 'no group'
  if (Object.keys(values).length > 0)
    await sql`
      update cards set ${assignments(queries, { ...values, updated_at: sql`now()` })}
      where project_id = ${projectId} and id = ${cardId}`
  return reset
}

/** Moves the card to where its master put it; false if the project has deleted or archived that group. */
async function putBack(
  queries: Queries,
  quotas: Quotas,
  { projectId, cardId }: { projectId: number; cardId: number },
  { base, group_id: leftId, sort_order: sortOrder }: Copy,
): Promise<boolean> {
  const { sql } = queries
  const [group] = await sql<{ id: number; board_id: number }[]>`
    select id, board_id from groups where project_id = ${projectId} and master_group_id = ${base.group_id}
      and deleted_at is null and is_active`
  if (!group) return false
  if (group.id !== leftId) {
    await addToGroups(queries, quotas, projectId, [{ group_id: group.id, sort_order: sortOrder }])
    await takeFromGroups(queries, projectId, [leftId])
  }
  await sql`
    update cards set group_id = ${group.id}, board_id = ${group.board_id}, rank = ${base.rank}, is_moved = false,
      status_before_done = null, updated_at = now()
    where project_id = ${projectId} and id = ${cardId}`
  return true
}
