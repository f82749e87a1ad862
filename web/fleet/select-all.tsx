import { Button } from '../ui/button.tsx'
import { formatNumber } from '../words/locale.ts'
import { t } from '../words/words.ts'
import type { useSelection } from './selection.ts'

interface Props {
  selection: Pick<ReturnType<typeof useSelection>, 'selected' | 'gathered' | 'selectAll'>
  /** How many match in all. */
  count: number
  /** The most that can be selected. */
  most?: number
}

/** Selects all that match, also what is not loaded. */
export function SelectAll({
  selection: { selected, gathered, selectAll },
  count: matching,
  most = matching,
}: Props) {
  const count = Math.min(matching, most)
  if (gathered !== undefined)
    return (
      <p className="numbers" role="status">
        {t('Selecting {done} of {all}…', { done: formatNumber(gathered), all: formatNumber(count) })}
      </p>
    )
  if (selected.size >= count) return null
  return (
    <Button look="quiet" onClick={() => void selectAll()}>
      {matching > most
        ? t('Select the first {count}', { count: formatNumber(count) })
        : t('Select all {count}', { count: formatNumber(count) })}
    </Button>
  )
}
