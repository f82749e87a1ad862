// What a rollout brought to a project, in words; for the project's page and the results of a rollout.
import { counted } from '../words/words.ts'

/** How many of the cards that are kept were customized. */
export const customizedOf = ({ kept, used, overtaken }: Kept): number => kept - used - overtaken

type Kept = Readonly<Record<'kept' | 'used' | 'overtaken', number>>

/** What a project received: "2 cards added, 1 card updated"; empty if nothing. */
export const countsOfResult = (
  result: Kept & Readonly<Record<'added' | 'updated' | 'moved' | 'removed' | 'skipped', number>>,
): string =>
  [
    result.added > 0
      ? counted(result.added, { one: '{count} card added', other: '{count} cards added' })
      : '',
    result.updated > 0
      ? counted(result.updated, { one: '{count} card updated', other: '{count} cards updated' })
      : '',
    result.moved > 0
      ? counted(result.moved, { one: '{count} card moved', other: '{count} cards moved' })
      : '',
    result.removed > 0
      ? counted(result.removed, { one: '{count} card deleted', other: '{count} cards deleted' })
      : '',
    customizedOf(result) > 0
      ? counted(customizedOf(result), {
          one: '{count} card kept as customized',
          other: '{count} cards kept as customized',
        })
      : '',
    result.used > 0
      ? counted(result.used, {
          one: '{count} card kept because it is in use',
          other: '{count} cards kept because they are in use',
        })
      : '',
    result.overtaken > 0
      ? counted(result.overtaken, {
          one: '{count} card kept because a later rollout changed it',
          other: '{count} cards kept because a later rollout changed them',
        })
      : '',
    result.skipped > 0
      ? counted(result.skipped, { one: '{count} card skipped', other: '{count} cards skipped' })
      : '',
  ]
    .filter((part) => part !== '')
    .join(', ')
