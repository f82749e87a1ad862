import { Button } from '../ui/button.tsx'
import { formatNumber } from '../words/locale.ts'
import { t } from '../words/words.ts'
import type { useSelection } from './selection.ts'

interface Props {
  selection: Pick<ReturnType<typeof useSelection>, 'selected' | 'gathered' | 'selectAll'>
  /** How many match in all. */
  count: number
}

/** Selects all that match, also what is not loaded. */
export function SelectAll({ selection: { selected, gathered, selectAll }, count }: Props) {
  if (gathered !== undefined)
    return (
      <p className="numbers" role="status">
        {t('Selecting {done} of {all}…', { done: formatNumber(gathered), all: formatNumber(count) })}
      </p>
    )
  if (selected.size >= count) return null
  return (
    <Button look="quiet" onClick={() => void selectAll()}>
      {t('Select all {count}', { count: formatNumber(count) })}
    </Button>
  )
}
