import { ListFilter, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldSelect } from '../../ui/field.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { t } from '../../words/words.ts'
import { FilterFields } from '../audiences/filter-fields.tsx'
import type { Filters } from './filters.ts'

/** Search and filters of the list; what is chosen is in the address. */
export function FilterBar({
  filters,
  platforms,
}: {
  filters: Filters
  platforms: ReadonlyMap<number, string>
}) {
  const { given, change, clear, isFiltered } = filters
  const search = useRef<HTMLInputElement>(null)
  // All of them would be two rows above the list, and on a phone leave no room for it.
  const [isOpen, setOpen] = useState(false)
  const isShown = (name: string) => isOpen || given(name) !== ''
  useShortcut('/', () => search.current?.focus())
  return (
    <search className="fleet-filters" aria-label={t('Filter projects')} data-open={isOpen}>
      <FilterFields given={given} change={change} search={search} isBrief={!isOpen} />
      {platforms.size > 0 && isShown('platform') && (
        <FieldSelect
          label={t('Platform')}
          value={given('platform')}
          onChange={(event) => change({ platform: event.target.value })}
        >
          <option value="">{t('Any')}</option>
          {[...platforms].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FieldSelect>
      )}
      {isShown('deleted') && (
        <FieldSelect
          label={t('Deleted')}
          value={given('deleted')}
          onChange={(event) => change({ deleted: event.target.value })}
        >
          <option value="">{t('Any')}</option>
          <option value="yes">{t('Deleted projects')}</option>
        </FieldSelect>
      )}
      <Button
        look="quiet"
        icon={<ListFilter />}
        className="fleet-more"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? t('Fewer filters') : t('More filters')}
      </Button>
      {isFiltered && (
        <Button look="quiet" icon={<X />} className="fleet-clear" onClick={clear}>
          {t('Clear filters')}
        </Button>
      )}
    </search>
  )
}
