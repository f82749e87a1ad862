// The SQL that decides what a copy receives, shared by apply.ts, which writes it, and planning.ts, which only says it. In both, $1 is the
// template, $2 the revision of the version, $3 the projects and $4 the one card or null; `b` is a copy of the board and `next` a
// thing at the version.
import { stateAt } from '#templates/version/version.ts'

/**
 * A card whose deletion was published since the version is left out, because its removal from the projects may have been applied
 * already.
 */
const cardsAt = (isWanted: string) => `
  select * from (${stateAt('card', { isWanted })}) newest where is_active and not is_deleted
    and not exists (
      select from master_cards m join master_card_revisions last on last.card_id = m.id and last.revision = m.published_revision
      where m.id = newest.card_id and last.is_deleted)`
export const allCards = cardsAt('true')
export const nextCards = cardsAt('($4::bigint is null or card_id = $4)')
export const allGroups = `select * from (${stateAt('group')}) newest where not is_deleted`
export const nextGroups = `
  ${allGroups} and ($4::bigint is null or group_id in (select group_id from (${nextCards}) wanted))`
export const nextBoard = stateAt('board')

/** Only the rollout of a whole board can skip what an earlier one brought to the copy. */
export const isNews = '($4::bigint is not null or next.published_with > b.synced_revision)'

/** True for a card that was deleted in every project and has been restored; `m` is its master. Not for a rollout that began before its deletion. */
export const isBack = 'm.withdrawn_revision > 0 and m.withdrawn_revision < next.revision'

/** True if the master moved the group and the project did not. */
export const isReordered = 'not b.has_own_order and next.rank <> base.rank'

/** True if the master moved the card, or the project does not have it. */
export const isElsewhere = '(next.group_id, next.rank) is distinct from (base.group_id, base.rank)'

/** The bit of a field in `own_fields`. */
const bitOf = (index: number) => 1 << index

/** The fields in which the copy differs from what it last received, as bits. */
export const ownFields = (names: readonly string[], copy: string) =>
  names
    .map(
      (name, index) =>
        `case when ${copy}.${name} is distinct from base.${name} then ${bitOf(index)} else 0 end`,
    )
    .join(' + ')

/** The fields that the master changed since what the copy last received: the copy receives them, or keeps them as the project has them. */
export const changedFields = (names: readonly string[], copy: string, isOwn: boolean) =>
  fieldsWhere(names, isOwn, (name) => `${copy}.${name} is distinct from base.${name}`)

/** The same as bits, which cost a third of it where many cards are changed; `fieldsOf` names them. */
export const changedBits = (names: readonly string[], copy: string, isOwn: boolean) =>
  names
    .map(
      (name, index) =>
        `case when next.${name} is distinct from base.${name}
          and ${copy}.${name} is ${isOwn ? '' : 'not '}distinct from base.${name} then ${bitOf(index)} else 0 end`,
    )
    .join(' + ')

export const fieldsOf = <Name extends string>(names: readonly Name[], bits: number): Name[] =>
  names.filter((_name, index) => bits & bitOf(index))

/** The same for a revert: a field that the project had customized before the rollout stays customized, whatever its value. */
export const returnedFields = (names: readonly string[], copy: string, isOwn: boolean) =>
  fieldsWhere(
    names,
    isOwn,
    (name, index) =>
      `${copy}.${name} is distinct from base.${name} or ${copy}.own_fields & ${bitOf(index)} <> 0`,
  )

const fieldsWhere = (
  names: readonly string[],
  isOwn: boolean,
  ownOf: (name: string, index: number) => string,
) =>
  `array_remove(array[${names
    .map(
      (name, index) =>
        `case when next.${name} is distinct from base.${name} and ${isOwn ? '' : 'not '}(${ownOf(name, index)}) then '${name}' end`,
    )
    .join(', ')}], null)`
