import { Columns3, Rows3 } from 'lucide-react'
import { memo } from 'react'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { Picker } from '../../ui/picker.tsx'
import { t } from '../../words/words.ts'
import { columnNames } from './cells.tsx'
import { type ColumnId, columnIds, type Grouping, groupings, type Sorting, usualColumns } from './rows.ts'

/** The columns, order and groups of a table, as in the address. */
interface Shape {
  columns: readonly ColumnId[]
  sorting: Sorting | undefined
  grouping: Grouping | undefined
}

/** In the address: no columns but the title, and no groups. */
const none = 'none'

const isColumn = (name: string): name is ColumnId => (columnIds as readonly string[]).includes(name)

export function readShape(search: URLSearchParams): Shape {
  const sort = search.get('sort') ?? ''
  const by = sort.replace(/^-/, '')
  const group = groupings.find((one) => one === search.get('group'))
  const columns = search.get('columns') ?? ''
  const known = columns.split(',').filter(isColumn)
  return {
    columns: known.length === 0 && columns !== none ? usualColumns : known,
    sorting: by === 'title' || isColumn(by) ? { by, isDescending: sort.startsWith('-') } : undefined,
    grouping: group,
  }
}

export const writeSorting = ({ by, isDescending }: Sorting): string => (isDescending ? '-' : '') + by

interface Props {
  shape: Shape
  /** Whether the cards are of several boards. */
  hasBoards: boolean
  onChange(name: 'columns' | 'group', value: string | undefined): void
}

/** Chooses the columns of a table, and what its rows are grouped by. */
export const TableTools = memo(function TableTools({ shape, hasBoards, onChange }: Props) {
  const { columns, grouping } = shape
  const toggle = (column: ColumnId) => {
    const next = columns.includes(column)
      ? columns.filter((other) => other !== column)
      : columnIds.filter((other) => other === column || columns.includes(other))
    const written = next.join()
    onChange('columns', written === usualColumns.join() ? undefined : written || none)
  }
  const groupBy = (id: Grouping | typeof none) => onChange('group', id === none ? undefined : id)
  const groupChoices = [
    { id: none, label: t('No grouping') },
    ...groupings.map((id) => ({ id, label: columnNames[id] })),
  ] as const
  useCommands(() => [
    {
      section: t('Table'),
      isOfPage: true,
      entries: [
        {
          label: `${t('Group by')}…`,
          icon: <Rows3 />,
          choices: groupChoices.map(({ id, label }) => ({ label, onSelect: () => groupBy(id) })),
        },
      ],
    },
  ])
  return (
    <div className="card-table-tools">
      <Picker
        label={t('Group by')}
        choices={groupChoices}
        chosen={[grouping ?? none]}
        onChoose={groupBy}
        trigger={(trigger) => (
          <Button {...trigger} look="quiet" icon={<Rows3 />}>
            {grouping ? t('Grouped by {column}', { column: columnNames[grouping] }) : t('Group by')}
          </Button>
        )}
      />
      <Picker
        label={t('Columns')}
        isMultiple
        choices={columnIds
          .filter((id) => id !== 'board' || hasBoards)
          .map((id) => ({ id, label: columnNames[id] }))}
        chosen={columns}
        onChoose={toggle}
        trigger={(trigger) => (
          <Button {...trigger} look="quiet" icon={<Columns3 />}>
            {t('Columns')}
          </Button>
        )}
      />
    </div>
  )
})
