import { csvFile, csvMark, csvRow, saveFile } from '../../ui/csv.ts'
import { otherOnes, states } from '../measures.ts'

const measures = ['received', 'begun', ...states, ...otherOnes] as const

interface Card {
  id: number
  title: string
  group_title: string
  counts: Readonly<Record<(typeof measures)[number], number>>
  median_days: number | null
  trend: readonly number[]
}

/** A row for each template card; the columns have the names of the API, and the trend has one for each week, with its Monday. */
const csvOf = (cards: readonly Card[], weeks: readonly string[]): string =>
  csvMark +
  csvRow([
    ...['card_id', 'group', 'card', ...measures, 'median_days'],
    ...weeks.map((week) => `trend_${week}`),
  ]) +
  cards
    .map(({ id, title, group_title, counts, median_days, trend }) =>
      csvRow([
        String(id),
        group_title,
        title,
        ...measures.map((measure) => String(counts[measure])),
        String(median_days ?? ''),
        ...trend.map(String),
      ]),
    )
    .join('')

export const downloadCsv = (title: string, cards: readonly Card[], weeks: readonly string[]) =>
  saveFile(csvFile([csvOf(cards, weeks)]), `${title}.csv`)
