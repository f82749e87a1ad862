import { CalendarDays, Check, Columns3, List, ListFilter, Search, Table2, Tag as TagIcon } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { type Manage, Picker } from '../../ui/picker.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { counted, t } from '../../words/words.ts'
import { useAddress } from './address.ts'
import { Chips } from './chips.tsx'
import { choicesOf, type Filterable, idOf } from './choices.tsx'
import '../../ui/filter-row.css'
import './filter-bar.css'
import { type Filter, filtersIn, withoutFilters, writeFilter } from './filters.ts'
import { type SavedPage, SavedViews } from './saved-views.tsx'

export interface FilterBarProps extends Filterable {
  label: string
  page: SavedPage
  /** How cards can be shown; the first is the usual one. */
  views: readonly [View, ...View[]]
  /** Undefined until they are loaded. */
  count: { shown: number; total: number; hasMore?: boolean } | undefined
  isFiltering: boolean
  manage?: Manage | undefined
  /** What the person has typed for the field before the bar was there. */
  wanted?: RefObject<string | undefined>
}

export type View = keyof typeof viewNames

const viewNames = { board: t('Board'), list: t('List'), table: t('Table'), calendar: t('Calendar') }
const viewIcons: Record<View, ReactNode> = {
  board: <Columns3 />,
  list: <List />,
  table: <Table2 />,
  calendar: <CalendarDays />,
}

/** How cards are shown and which ones: views, and filters as removable chips. All of it is in the address. */
export default function FilterBar(props: FilterBarProps) {
  const { label, page, views, count, isFiltering, manage, wanted } = props
  const { search, change, set } = useAddress()
  const choices = choicesOf(props)
  const filters = filtersIn(search)
  // Assignees and the status of cards are known once they are loaded.
  const isLoading = ({ kind }: Filter) =>
    (kind === 'owner' && props.members.length === 0) || (kind === 'status' && !count)
  // A broken address loses what means nothing; a deleted tag and a removed person are named.
  useEffect(() => {
    const known = new Set(choices.map(({ id }) => id))
    const unknown = filters.filter(
      (filter) =>
        (filter.kind === 'show' && filter.isNegated) ||
        !(known.has(idOf(filter)) || isLoading(filter) || /^(tag|owner)=\d+$/.test(idOf(filter))),
    )
    if (unknown.length > 0)
      change((next) => {
        for (const filter of unknown) next.delete(filter.kind, writeFilter(filter))
      })
  })
  const toggle = (id: string) => {
    const there = filters.find((filter) => idOf(filter) === id)
    if (there) return remove(there)
    const [kind] = id.split('=') as [Filter['kind']]
    change((next) => next.append(kind, id.slice(kind.length + 1)))
  }
  const remove = (filter: Filter) => change((next) => next.delete(filter.kind, writeFilter(filter)))
  const negate = (filter: Filter) => {
    const turned = { ...filter, isNegated: !filter.isNegated }
    change((next) => {
      const entries = [...next].map(([name, value]) =>
        name === filter.kind && value === writeFilter(filter) ? [name, writeFilter(turned)] : [name, value],
      ) as [string, string][]
      for (const name of [...next.keys()]) next.delete(name)
      for (const [name, value] of entries) next.append(name, value)
    })
  }
  const [usual] = views
  const show = (view: View) => set('view', view === usual ? undefined : view)
  useCommands(() => [
    {
      section: t('View'),
      isOfPage: true,
      entries: views.map((view) => ({
        label: viewNames[view],
        icon: viewIcons[view],
        onSelect: () => show(view),
      })),
    },
    {
      section: t('Filter'),
      isOfPage: true,
      entries: [
        {
          label: `${t('Filter by')}…`,
          icon: <ListFilter />,
          choices: choices.map(({ id, section, label: name, icon }) => ({
            label: `${section}: ${name}`,
            icon: filters.some((filter) => idOf(filter) === id) ? <Check /> : icon,
            onSelect: () => toggle(id),
          })),
        },
        ...(manage ? [{ label: manage.label, icon: <TagIcon />, onSelect: manage.onSelect }] : []),
      ],
    },
  ])
  return (
    <search className="filter-bar" aria-label={label}>
      <Segments
        label={t('View')}
        chosen={views.find((view) => view === search.get('view')) ?? usual}
        choices={
          Object.fromEntries(
            views.map((view) => [
              view,
              <span key={view} className="view-choice">
                {viewIcons[view]}
                <span className="view-name">{viewNames[view]}</span>
              </span>,
            ]),
          ) as Record<View, ReactNode>
        }
        onChoose={show}
      />
      <SavedViews page={page} usualView={usual} />
      {page.page !== 'search' && (
        <TextFilter text={search.get('text') ?? ''} wanted={wanted} onChange={(text) => set('text', text)} />
      )}
      <Picker
        label={t('Filter by')}
        isMultiple
        choices={choices}
        chosen={filters.map(idOf)}
        manage={manage}
        onChoose={toggle}
        trigger={(trigger) => (
          <Button {...trigger} look="quiet" icon={<ListFilter />}>
            {t('Filter')}
          </Button>
        )}
      />
      {count && (
        <span className="filter-count numbers">
          {!isFiltering
            ? count.hasMore
              ? t('{count}+ cards', { count: count.total })
              : counted(count.total, { one: '{count} card', other: '{count} cards' })
            : count.shown === 0
              ? t('No cards match')
              : counted(
                  count.total,
                  { one: '{shown} of {count} card', other: '{shown} of {count} cards' },
                  { shown: count.shown },
                )}
        </span>
      )}
      <div className="filters-used" data-has-chips={filters.length > 0}>
        <Chips
          filters={filters}
          choices={choices}
          isLoading={isLoading}
          onRemove={remove}
          onNegate={negate}
        />
        {(filters.length > 0 || search.has('text')) && (
          <Button
            look="quiet"
            onClick={() =>
              change((next) => {
                const kept = withoutFilters(next)
                kept.delete('saved')
                for (const name of [...next.keys()]) if (!kept.has(name)) next.delete(name)
              })
            }
          >
            {t('Clear')}
          </Button>
        )}
      </div>
    </search>
  )
}

interface TextFilterProps {
  text: string
  wanted: FilterBarProps['wanted']
  onChange(text: string): void
}

function TextFilter({ text, wanted, onChange }: TextFilterProps) {
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current?.focus())
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is taken once.
  useEffect(() => {
    const typed = wanted?.current
    if (!wanted || typed === undefined) return
    wanted.current = undefined
    field.current?.focus()
    if (typed !== '') onChange(text + typed)
  }, [])
  return (
    <label className="filter-text">
      <Search aria-hidden="true" />
      <span className="visually-hidden">{t('Filter by text')}</span>
      <input
        ref={field}
        type="search"
        placeholder={t('Filter by text')}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Neither empties the field nor closes an open card.
          event.preventDefault()
          event.stopPropagation()
          event.currentTarget.blur()
        }}
      />
    </label>
  )
}
