import { csvFile, csvMark, csvRow, saveFile } from '../../ui/csv.ts'
import { otherOnes, states } from '../measures.ts'

const measures = ['received', 'begun', ...states, ...otherOnes] as const

interface Card {
  id: number
  title: string
  group_title: string
  counts: Readonly<Record<(typeof measures)[number], number>>
  median_days: number | null
}

/** A row for each template card; the columns have the names of the API. */
export const csvOf = (cards: readonly Card[]): string =>
  csvMark +
  csvRow(['card_id', 'group', 'card', ...measures, 'median_days']) +
  cards
    .map(({ id, title, group_title, counts, median_days }) =>
      csvRow([
        String(id),
        group_title,
        title,
        ...measures.map((measure) => String(counts[measure])),
        String(median_days ?? ''),
      ]),
    )
    .join('')

export const downloadCsv = (title: string, cards: readonly Card[]) =>
  saveFile(csvFile([csvOf(cards)]), `${title}.csv`)
