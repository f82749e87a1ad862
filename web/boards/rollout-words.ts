import { locale } from '../words/locale.ts'
import { counted, t } from '../words/words.ts'

/** What the event of a rollout says; older ones say nothing. */
export interface RolledOut {
  rollout_kind?: 'board' | 'card' | 'removal' | 'revert' | 'reset'
  version?: number
  added_count?: number
  removed_count?: number
  updated_count?: number
  board_fields?: readonly string[]
  /** In the history of a board: the cards and groups that it changed or that kept something, the first of them by name. A purged one has no title. */
  things?: readonly {
    thing: 'card' | 'group'
    change: 'added' | 'returned' | 'updated' | 'moved' | 'removed' | 'kept'
    count: number
    named: readonly { id: number; title: string | null; fields: readonly string[] }[]
  }[]
  /** In the history of a card: what happened to it. */
  card?: ChangedCard
}

interface ChangedCard {
  /** Missing if it kept everything. */
  change?: 'added' | 'returned' | 'removed' | 'updated'
  fields?: readonly string[]
  kept?: readonly string[]
  is_moved?: boolean
}

/** What a rollout did to a board, or to one of its cards, after the word Template. A board of the project's own can have cards of a template. */
export function rolledOut(event: RolledOut, { isCopy }: { isCopy: boolean }): string {
  const { rollout_kind: kind, version, updated_count: updated = 0, card } = event
  if (card) return cardInWords(card, kind)
  if (kind === 'reset')
    return counted(updated, {
      one: "returned {count} card to the template's value",
      other: "returned {count} cards to the template's value",
    })
  if (kind === 'revert')
    return version === undefined ? t('reverted a rollout') : t('reverted version {version}', { version })
  if (!isCopy && updated > 0)
    return counted(updated, { one: 'updated {count} card', other: 'updated {count} cards' })
  return version === undefined
    ? t('brought the board up to date')
    : t('brought the board up to version {version}', { version })
}

function cardInWords(
  { change, fields = [], kept = [], is_moved: isMoved = false }: ChangedCard,
  kind: RolledOut['rollout_kind'],
): string {
  if (change === 'added') return t('added this card')
  if (change === 'returned') return t('restored this card')
  if (change === 'removed') return t('removed this card')
  if (kept[0] === 'used') return t('reverted a rollout, but left this card because it is in use')
  if (kept[0] === 'later_rollout')
    return t('reverted a rollout, but kept this card because a later rollout changed it')
  const left = kind === 'revert' ? t('reverted a rollout') : t('was updated')
  const done = change ? updatedInWords(fields, isMoved, kind) : left
  return kept.length === 0
    ? done
    : t('{updated}; kept as you have it: {fields}', {
        updated: done,
        fields: inWords(kept.map(templateFieldName)),
      })
}

function updatedInWords(
  changed: readonly string[],
  isMoved: boolean,
  kind: RolledOut['rollout_kind'],
): string {
  const fields = inWords(changed.map(templateFieldName))
  if (kind === 'reset') return t("returned to the template's value: {fields}", { fields })
  const isBack = kind === 'revert'
  if (!isMoved) return isBack ? t('reverted {fields}', { fields }) : t('updated {fields}', { fields })
  if (changed.length === 0) return isBack ? t('moved this card back') : t('moved this card')
  return isBack
    ? t('reverted {fields} and moved this card back', { fields })
    : t('updated {fields} and moved this card', { fields })
}

const list = new Intl.ListFormat(locale)
export const inWords = (names: readonly string[]) => list.format(names)

const fieldNames: Record<string, string> = {
  title: t('title'),
  description: t('description'),
  short_description: t('short description'),
  priority: t('priority'),
  evaluation_check: t('check', { as: 'field' }),
  needs_confirmation: t('confirmation'),
  tour_key: t('tour key'),
  unique_identifier: t('identifier'),
  // Of groups and boards.
  type: t('type'),
  color: t('color'),
  icon: t('icon'),
  is_collapsed: t('collapsed'),
  // Why a revert leaves a card.
  used: t('in use'),
  later_rollout: t('changed by a later rollout'),
}

export const templateFieldName = (name: string): string => fieldNames[name] ?? name
