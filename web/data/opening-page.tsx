// Shows a page of the operator's area once the thing that it is about is read; a colleague may delete that thing while it is open.
import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { Loading, SkeletonRows } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { failureOf } from './failure.ts'
import type { Read } from './read.ts'
import { Failed } from './reading.tsx'

interface Props<Data> {
  query: Read<Data>
  title: string
  /** The error title, such as "The project could not be opened". */
  failed: string
  /** A link to somewhere else. */
  instead: ReactNode
  children(data: Data): ReactNode
}

export function OpeningPage<Data>({ query, title, failed, instead, children }: Props<Data>) {
  const { data, error, refetch } = query
  const isDeleted = data !== undefined && failureOf(error).code.endsWith('_not_found')
  if (data !== undefined && !isDeleted) return children(data)
  return <Page title={title}>{isDeleted ? <Deleted instead={instead} /> : notRead()}</Page>

  function notRead() {
    if (error) return <Failed what={failed} error={error} onRetry={() => void refetch()} instead={instead} />
    return (
      <Loading>
        <SkeletonRows />
      </Loading>
    )
  }
}

const Deleted = ({ instead }: { instead: ReactNode }) => (
  <div className="empty" role="alert">
    <h2>{t('No longer available')}</h2>
    <p>{t('It was deleted while you had it open, or you no longer have access to it.')}</p>
    {instead}
  </div>
)
