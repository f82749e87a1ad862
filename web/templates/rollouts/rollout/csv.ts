import { useState } from 'react'
import { admin } from '../../../data/client.ts'
import { showFailure } from '../../../data/failure.ts'
import { useProject } from '../../../data/project.tsx'
import { saveAllPages } from '../../../data/save-all-pages.ts'
import { csvMark, csvRow } from '../../../ui/csv.ts'
import { counted, t } from '../../../words/words.ts'
import { fieldInText } from '../../template/field-names.ts'
import type { Result, Rollout } from '../types.ts'

const columns = [
  'project_id',
  'project_name',
  'outcome',
  'stage',
  'added',
  'updated',
  'moved',
  'kept',
  'used',
  'overtaken',
  'removed',
  'kept_fields',
  'skipped',
  'skips',
  'differs',
  'error',
] as const

type Cell = Result[(typeof columns)[number]]
type Thing = NonNullable<Result['things']>[number]

/** Which cards, one cell for each change, so that a spreadsheet can filter a column by the title of a card. */
const changes: Readonly<
  Record<string, { has(thing: Thing): boolean; detailsOf?(thing: Thing): readonly string[] }>
> = {
  added_cards: { has: ({ change }) => change === 'added' || change === 'returned' },
  updated_cards: { has: ({ fields }) => fields.length > 0, detailsOf: ({ fields }) => fields },
  moved_cards: { has: (thing) => thing.is_moved },
  removed_cards: { has: ({ change }) => change === 'removed' },
  kept_cards: { has: ({ kept }) => kept.length > 0, detailsOf: ({ kept }) => kept },
}

/** Spreadsheets hold 32,767 characters in a cell. */
const longestCell = 30_000

/** The cards as "Import products (title, due date); Choose a theme (title)". */
function cardsInWords(things: readonly Thing[], detailsOf: (thing: Thing) => readonly string[]): string {
  const cards = things.map((thing) => {
    const details = detailsOf(thing).map(fieldInText).join(', ')
    const title = thing.title ?? t('Permanently deleted')
    return details === '' ? title : `${title} (${details})`
  })
  let length = 0
  const fitting = cards.filter((card) => {
    length += card.length + 2
    return length <= longestCell
  })
  const rest = cards.length - fitting.length
  return [
    ...fitting,
    ...(rest > 0 ? [counted(rest, { one: '{count} more card', other: '{count} more cards' })] : []),
  ].join('; ')
}

const changeCells = (result: Result): string[] => {
  const cards = result.things?.filter(({ thing }) => thing === 'card') ?? []
  return Object.values(changes).map(({ has, detailsOf = () => [] }) =>
    cardsInWords(cards.filter(has), detailsOf),
  )
}

/** Counts by name as "title: 2, priority: 1". */
const cell = (value: Cell): string =>
  Array.isArray(value)
    ? value.map((one) => `${'field' in one ? one.field : one.reason}: ${one.count}`).join(', ')
    : String(value ?? '')

const cellsOf = (result: Result) => [...columns.map((name) => cell(result[name])), ...changeCells(result)]

/** Saves the results of a rollout in all projects, a row for each; the columns have the names of the API. */
export function useDownload(rollout: Rollout) {
  const { client } = useProject()
  const [isDownloading, setDownloading] = useState(false)
  async function download() {
    setDownloading(true)
    try {
      await saveAllPages(
        (page) => client.call(`${admin}/rollouts/get`, { id: rollout.id, with_things: true, ...page }),
        {
          name: `${rollout.title}.csv`,
          head: csvMark + csvRow([...columns, ...Object.keys(changes)]),
          rows: ({ results }) => results.map((result) => csvRow(cellsOf(result))).join(''),
        },
      )
    } catch (error) {
      showFailure(t('The results were not downloaded'), error, 'results of a rollout')
    } finally {
      setDownloading(false)
    }
  }
  return { download, isDownloading }
}
