import { keepPreviousData } from '@tanstack/react-query'
import { CalendarPlus, Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useAskAgain } from '../../data/ask-again.ts'
import { type Output, platforms } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { usePages, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { dismissTopic } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { SelectAll } from '../select-all.tsx'
import { useSelection } from '../selection.ts'
import { downloadCsv } from './csv.ts'
import { ExtendTrials } from './extend-trials.tsx'
import { FilterBar } from './filter-bar.tsx'
import { useFilters } from './filters.ts'
import { Summary } from './summary.tsx'
import { SubscriptionTable } from './table.tsx'
import './page.css'

const path = `${platforms}/subscriptions/list-all` as const
const rowsAtOnce = 100
/** Reading many pages again would cost more than it shows. */
const mostPagesAgain = 2
const never = 2 ** 30

export type ListedSubscription = Output<typeof path>['subscriptions'][number]

/** The subscriptions of all projects. */
export default function SubscriptionsPage() {
  const { base, client } = useProject()
  const filters = useFilters()
  const input = { ...filters.filter, limit: rowsAtOnce }
  const query = usePages(path, input, { refetchOnMount: 'always', placeholderData: keepPreviousData })
  const summary = useRead(`${platforms}/subscriptions/summarize`, {}, { refetchOnMount: 'always' })
  const pages = query.data?.pages
  useAskAgain(path, (pages?.length ?? 0) > mostPagesAgain ? never : 10_000)
  useAskAgain(`${platforms}/subscriptions/summarize`, 30_000)
  const listed = useMemo(() => pages?.flatMap((page) => page.subscriptions), [pages])
  const refusal = useLostConnection()
  const selection = useSelection(listed, async (page) => {
    const { subscriptions: rows, next_cursor } = await client.call(path, { ...input, ...page })
    return { rows, next_cursor }
  })
  const { selected, setSelected } = selection
  const [isExtending, setExtending] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      await downloadCsv((page) => client.call(path, { ...filters.filter, ...page }))
      dismissTopic(path)
    } catch (error) {
      showFailure(t('The file was not downloaded'), error, path)
    }
    setSaving(false)
  }
  const count = pages?.[0]?.count ?? 0
  const trials = selection.chosen.filter(({ status }) => status === 'trialing' || status === 'expired')
  return (
    <Page
      title={t('Subscriptions')}
      width="all"
      actions={
        <>
          <ButtonLink href={`${base}/orders`}>{t('Open orders')}</ButtonLink>
          <IconButton
            label={t('Download CSV')}
            icon={<Download />}
            isBusy={isSaving}
            onClick={() => void save()}
          />
        </>
      }
      below={
        <>
          {summary.data && <Summary summary={summary.data.summary} />}
          <FilterBar filters={filters} summary={summary.data?.summary} />
        </>
      }
    >
      <div className="fleet-bar">
        {selected.size > 0 ? (
          <>
            <p className="numbers" role="status">
              {t('{count} selected', { count: selected.size })}
            </p>
            <SelectAll selection={selection} count={count} />
            <Button
              icon={<CalendarPlus />}
              refusal={refusal ?? (trials.length === 0 ? t('None of these is a trial.') : undefined)}
              onClick={() => setExtending(true)}
            >
              {t('Extend trials…')}
            </Button>
            <Button look="quiet" onClick={() => setSelected(new Set())}>
              {t('End selection')}
            </Button>
          </>
        ) : (
          <p className="numbers" role="status">
            {pages && counted(count, { one: '{count} subscription', other: '{count} subscriptions' })}
          </p>
        )}
      </div>
      <Reading query={{ ...query, data: listed }} failed={t('The subscriptions could not be loaded')}>
        {(read) =>
          read.length === 0 ? (
            <Empty title={t('No subscriptions here')}>
              {t('Choose another state, or change what you search for.')}
            </Empty>
          ) : (
            <SubscriptionTable
              subscriptions={read}
              count={count}
              filters={filters}
              selected={selected}
              onSelect={setSelected}
              onEnd={
                query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined
              }
            />
          )
        }
      </Reading>
      {isExtending && (
        <ExtendTrials
          trials={trials}
          onClose={() => setExtending(false)}
          onDone={(left) => setSelected(new Set(left.map(({ id }) => id)))}
        />
      )}
    </Page>
  )
}
