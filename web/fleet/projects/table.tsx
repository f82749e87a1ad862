import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useProject } from '../../data/project.tsx'
import { toolName } from '../../projects/tools.ts'
import { Labels } from '../../ui/labels.tsx'
import { Ago } from '../../ui/time.tsx'
import { formatNumber } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import { Progress } from '../progress.tsx'
import { SubscriptionState } from '../subscription-state.tsx'
import type { FleetProject } from '../types.ts'
import type { Filters, Sort } from './filters.ts'
import { RestoreProject } from './restore-project.tsx'

const rowHeight = 48
/** The next page is asked for before the last row is in sight. */
const rowsAhead = 30

interface Props {
  projects: readonly FleetProject[]
  /** How many match in all. */
  count: number
  filters: Pick<Filters, 'sort' | 'isDescending' | 'sortBy'>
  selected: ReadonlySet<number>
  onSelect(selected: ReadonlySet<number>): void
  /** Loads the next page, if there is one. */
  onEnd: (() => void) | undefined
}

/** Projects as rows; only rows in sight are drawn. */
export function ProjectTable({ projects, count, filters, selected, onSelect, onEnd }: Props) {
  const { base } = useProject()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: projects.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    // The heading covers the top, and stays.
    scrollPaddingStart: rowHeight,
  })
  const rows = virtualizer.getVirtualItems()
  const isNearEnd = (rows.at(-1)?.index ?? 0) >= projects.length - rowsAhead
  useEffect(() => {
    if (isNearEnd) onEnd?.()
  }, [isNearEnd, onEnd])
  const toggle = (id: number) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    onSelect(next)
  }
  const isAllSelected = projects.every(({ id }) => selected.has(id))
  return (
    <div ref={scroller} className="fleet-scroller slim-scroll">
      {/* biome-ignore lint/a11y/useSemanticElements: rows out of sight are not drawn, which a table element cannot do. */}
      <div role="table" className="fleet-table" aria-label={t('Projects')} aria-rowcount={count + 1}>
        <HeadRow filters={filters}>
          <input
            type="checkbox"
            aria-label={t('Select all projects in the list')}
            checked={isAllSelected}
            onChange={() => onSelect(new Set(isAllSelected ? [] : projects.map(({ id }) => id)))}
          />
        </HeadRow>
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        <div role="rowgroup" className="fleet-rows" style={{ height: virtualizer.getTotalSize() }}>
          {rows.map(({ index, start }) => {
            const project = projects[index]
            if (!project) return null
            return (
              <Row
                key={project.id}
                project={project}
                place={index + 2}
                top={start}
                href={`${base}/projects/${project.id}`}
                isSelected={selected.has(project.id)}
                onToggle={toggle}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function HeadRow({ filters, children }: Pick<Props, 'filters'> & { children: ReactNode }) {
  const { sort, isDescending, sortBy } = filters
  const sortable = (by: Sort, label: string) => (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside has the focus.
    <div
      role="columnheader"
      className="fleet-cell"
      aria-sort={sort === by ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="fleet-sort" onClick={() => sortBy(by)}>
        {label}
        {sort === by && (isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
      </button>
    </div>
  )
  const plain = (label: string, className = '') => (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: it only names the column.
    <div role="columnheader" className={`fleet-cell ${className}`}>
      {label}
    </div>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    <div role="rowgroup" className="fleet-head">
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons have the focus. */}
      <div role="row" aria-rowindex={1} className="fleet-row">
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: the checkbox inside has the focus. */}
        <div role="columnheader" className="fleet-cell">
          {children}
        </div>
        {sortable('name', t('Project'))}
        {sortable('progress', t('Progress'))}
        {sortable('activity', t('Last activity'))}
        {plain(t('Subscription'))}
        {plain(t('Members'), 'fleet-number')}
        {sortable('created', t('Created'))}
      </div>
    </div>
  )
}

interface RowProps {
  project: FleetProject
  place: number
  top: number
  href: string
  isSelected: boolean
  onToggle(id: number): void
}

const Row = memo(function Row({ project, place, top, href, isSelected, onToggle }: RowProps) {
  const { id, name, labels, subscriptions, active_at, created_at } = project
  const isDeleted = project.deleted_at !== null
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: its link has the focus.
    <div
      role="row"
      aria-rowindex={place}
      className="fleet-row"
      data-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="cell" className="fleet-cell">
        <input
          type="checkbox"
          aria-label={t('Select {project}', { project: name })}
          checked={isSelected}
          onChange={() => onToggle(id)}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its link has the focus. */}
      <div role="rowheader" className="fleet-cell fleet-name">
        {isDeleted ? (
          <span className="fleet-link truncate" dir="auto">
            {name}
          </span>
        ) : (
          <Link href={href} className="fleet-link truncate" dir="auto">
            {name}
          </Link>
        )}
        <span className="fleet-note truncate">
          <Labels labels={labels} />
          {labels.length === 0 && project.tool_keys.map(toolName).join(', ')}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="cell" className="fleet-cell">
        <Progress done={project.done_count} all={project.cards_count} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="cell" className="fleet-cell">
        <Ago at={active_at} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="cell" className="fleet-cell fleet-subscriptions">
        {isDeleted ? (
          <RestoreProject project={project} />
        ) : (
          subscriptions.map((subscription) => (
            <SubscriptionState key={subscription.product} subscription={subscription} />
          ))
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="cell" className="fleet-cell fleet-number numbers">
        {formatNumber(project.members_count)}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="cell" className="fleet-cell">
        <Ago at={created_at} />
      </div>
    </div>
  )
})
