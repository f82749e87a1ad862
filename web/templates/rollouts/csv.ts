import { useState } from 'react'
import { admin, type Output } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { csvFile, csvMark, csvRow, saveFile } from '../../ui/csv.ts'
import { t } from '../../words/words.ts'
import type { Rollout } from './types.ts'

type Page = Output<`${typeof admin}/rollouts/get`>

const columns = [
  'project_id',
  'project_name',
  'outcome',
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

type Cell = Page['results'][number][(typeof columns)[number]]

/** Counts by name as "title: 2, priority: 1". */
const cell = (value: Cell): string =>
  Array.isArray(value)
    ? value.map((one) => `${'field' in one ? one.field : one.reason}: ${one.count}`).join(', ')
    : String(value ?? '')

/** Saves the results of a rollout in all projects, a row for each; the columns have the names of the API. */
export function useDownload(rollout: Rollout) {
  const { client } = useProject()
  const [isDownloading, setDownloading] = useState(false)
  async function download() {
    setDownloading(true)
    try {
      const parts = [csvMark + csvRow([...columns])]
      for (let cursor: string | null = null; ; ) {
        const page: Page = await client.call(`${admin}/rollouts/get`, { id: rollout.id, limit: 200, cursor })
        parts.push(page.results.map((result) => csvRow(columns.map((name) => cell(result[name])))).join(''))
        cursor = page.next_cursor
        if (cursor === null) break
      }
      saveFile(csvFile(parts), `${rollout.title}.csv`)
    } catch (error) {
      showFailure(t('The results were not downloaded'), error, 'results of a rollout')
    } finally {
      setDownloading(false)
    }
  }
  return { download, isDownloading }
}
