import { locale } from '../words/locale.ts'
import { counted, t } from '../words/words.ts'

/** What the event of a rollout says; older ones say nothing. */
export interface RolledOut {
  version?: number
  added_count?: number
  updated_count?: number
  updated?: readonly UpdatedCard[]
}

interface UpdatedCard {
  card_id: number
  fields: readonly string[]
  kept: readonly string[]
  is_moved: boolean
}

/** What a rollout did to a board, or to one of its cards, after the word Cardinal. A board of the project's own can have cards of a template. */
export function rolledOut(
  { version, added_count, updated_count, updated }: RolledOut,
  { cardId, isCopy }: { cardId: number | undefined; isCopy: boolean },
): string {
  const card = updated?.find(({ card_id }) => card_id === cardId)
  if (card) return cardInWords(card)
  if (!isCopy && updated_count)
    return counted(updated_count, {
      one: 'updated {count} card from its template',
      other: 'updated {count} cards from their template',
    })
  if (version === undefined) return t('brought the board up to date with its template')
  const changes = [
    added_count ? counted(added_count, { one: '{count} card added', other: '{count} cards added' }) : [],
    updated_count
      ? counted(updated_count, { one: '{count} card updated', other: '{count} cards updated' })
      : [],
  ].flat()
  return changes.length === 0
    ? t('brought the board up to version {version} of its template', { version })
    : t('brought the board up to version {version} of its template: {changes}', {
        version,
        changes: changes.join(', '),
      })
}

function cardInWords({ fields, kept, is_moved: isMoved }: UpdatedCard): string {
  const changes = [...fields.map((name) => fieldName(name)), ...(isMoved ? [t('position')] : [])]
  const updated = t('updated from the template: {fields}', { fields: inWords(changes) })
  return kept.length === 0
    ? updated
    : t('{updated}; kept as you have it: {fields}', { updated, fields: inWords(kept.map(fieldName)) })
}

const list = new Intl.ListFormat(locale)
const inWords = (names: readonly string[]) => list.format(names)

const fieldNames: Record<string, string> = {
  title: t('title'),
  description: t('description'),
  short_description: t('short description'),
  priority: t('priority'),
  evaluation_check: t('check', { as: 'field' }),
  needs_confirmation: t('confirmation'),
  tour_key: t('tour key'),
  unique_identifier: t('identifier'),
}

const fieldName = (name: string): string => fieldNames[name] ?? name
