import { ListFilter, Search, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { FieldSelect } from '../../ui/field.tsx'
import { Popover, usePopover } from '../../ui/popover.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { t } from '../../words/words.ts'
import { useChoices } from '../audiences/choices.ts'
import { parametersOf } from '../audiences/filter.ts'
import { FilterFields } from '../audiences/filter-fields.tsx'
import { phrasesOf } from '../audiences/filter-words.ts'
import type { Filters } from './filters.ts'
import '../../ui/filter-row.css'

/** What is listed only when it is asked for. */
const hidden = ['archived', 'deleted'] as const
const hiddenNames = { archived: t('Archived projects'), deleted: t('Deleted projects') } as const

interface Props {
  filters: Filters
  platforms: ReadonlyMap<number, string>
}

/** Search and filters of the list in one row, those in use as removable chips; all of it is in the address. */
export function FilterBar({ filters, platforms }: Props) {
  const { given, change, clear, isFiltered } = filters
  const search = useRef<HTMLInputElement>(null)
  useShortcut('/', () => search.current?.focus())
  return (
    <search className="filter-bar projects-filters" aria-label={t('Filter projects')}>
      <label className="filter-text">
        <Search aria-hidden="true" />
        <span className="visually-hidden">{t('Search')}</span>
        <input
          ref={search}
          type="search"
          placeholder={t('Name, id, label or email')}
          maxLength={255}
          value={given('q')}
          onChange={(event) => change({ q: event.target.value })}
        />
      </label>
      <AllFilters filters={filters} platforms={platforms} />
      <div className="filters-used" data-has-chips={isFiltered}>
        <Chips filters={filters} platforms={platforms} />
        {isFiltered && (
          <Button look="quiet" onClick={clear}>
            {t('Clear filters')}
          </Button>
        )}
      </div>
    </search>
  )
}

/** The fields of all filters, behind a button. */
function AllFilters({ filters: { given, change }, platforms }: Props) {
  const state = usePopover()
  return (
    <>
      <Button {...state.triggerProps} look="quiet" icon={<ListFilter />} aria-haspopup="dialog">
        {t('Filter')}
      </Button>
      <Popover state={state} className="projects-popover">
        <div className="projects-fields" role="dialog" aria-label={t('Filter projects')}>
          <FilterFields given={given} change={change} />
          {platforms.size > 0 && (
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
          <FieldSelect
            label={t('Archived or deleted')}
            value={hidden.find((name) => given(name) !== '') ?? ''}
            onChange={({ target: { value } }) =>
              change(Object.fromEntries(hidden.map((name) => [name, name === value ? 'yes' : ''])))
            }
          >
            <option value="">{t('Neither')}</option>
            {hidden.map((name) => (
              <option key={name} value={name}>
                {hiddenNames[name]}
              </option>
            ))}
          </FieldSelect>
        </div>
      </Popover>
    </>
  )
}

/** The filters in use; the search has a field of its own. */
function Chips({ filters: { saved, platform, given, change }, platforms }: Props) {
  const choices = useChoices()
  const { query: _, ...others } = saved
  const chips = [
    ...phrasesOf(others, choices).map(({ fields, words }) => ({ words, parameters: parametersOf(fields) })),
    ...(platform === undefined
      ? []
      : [
          {
            words: t('Platform: {name}', { name: platforms.get(platform) ?? String(platform) }),
            parameters: ['platform'],
          },
        ]),
    ...hidden
      .filter((name) => given(name) !== '')
      .map((name) => ({ words: hiddenNames[name], parameters: [name] })),
  ]
  return (
    <ul className="chips" aria-label={t('Filters in use')}>
      {chips.map(({ words, parameters }) => (
        <li key={parameters[0]} className="chip">
          <span className="truncate" dir="auto">
            {words}
          </span>
          <button
            type="button"
            className="chip-remove"
            aria-label={t('Remove the filter {label}', { label: words })}
            onClick={() => change(Object.fromEntries(parameters.map((name) => [name, ''])))}
          >
            <X />
          </button>
        </li>
      ))}
    </ul>
  )
}
