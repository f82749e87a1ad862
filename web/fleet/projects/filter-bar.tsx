import { X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldSelect } from '../../ui/field.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { t } from '../../words/words.ts'
import { FilterFields } from '../audiences/filter-fields.tsx'
import type { Filters } from './filters.ts'

/** Search and filters of the list; what is chosen is in the address. */
export function FilterBar({ filters }: { filters: Filters }) {
  const { given, change, clear, isFiltered } = filters
  const search = useRef<HTMLInputElement>(null)
  useShortcut('/', () => search.current?.focus())
  return (
    <search className="fleet-filters" aria-label={t('Filter projects')}>
      <FilterFields given={given} change={change} search={search} />
      <FieldSelect
        label={t('Deleted')}
        value={given('deleted')}
        onChange={(event) => change({ deleted: event.target.value })}
      >
        <option value="">{t('Any')}</option>
        <option value="yes">{t('Deleted projects')}</option>
      </FieldSelect>
      {isFiltered && (
        <Button look="quiet" icon={<X />} className="fleet-clear" onClick={clear}>
          {t('Clear filters')}
        </Button>
      )}
    </search>
  )
}
