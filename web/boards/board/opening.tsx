import type { ReactNode } from 'react'
import { failureOf } from '../../data/failure.ts'
import type { Read } from '../../data/read.ts'
import { Failed } from '../../data/reading.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { BoardSkeleton } from './skeleton.tsx'

const words = {
  board: {
    name: t('Board'),
    failed: t('The board could not be opened'),
    goToList: t('Go to boards'),
    loading: t('Loading the board'),
  },
  template: {
    name: t('Template'),
    failed: t('The template could not be opened'),
    goToList: t('Go to templates'),
    loading: t('Loading the template'),
  },
}

interface Props<Data> {
  query: Read<Data>
  noun: 'board' | 'template'
  /** Its title, if it is known already. */
  title?: string | undefined
  /** The list that contains it. */
  listPath: string
  children(data: Data): ReactNode
}

/** A project's board or a template, or its loading or error state. */
export function Opening<Data>({ query, noun, title, listPath, children }: Props<Data>) {
  const { data, error, refetch } = query
  // A board that was loaded before its deletion must not look editable.
  const isGone = ['board_not_found', 'master_board_not_found'].includes(failureOf(error).code)
  if (data !== undefined && !isGone) return children(data)
  const { name, failed, goToList, loading } = words[noun]
  if (error)
    return (
      <Page title={name}>
        <Failed
          what={failed}
          error={error}
          onRetry={() => void refetch()}
          instead={<ButtonLink href={listPath}>{goToList}</ButtonLink>}
        />
      </Page>
    )
  return (
    <Page
      title={title ?? name}
      heading={title ?? <span className="visually-hidden">{loading}</span>}
      width="all"
    >
      <Loading label={loading}>
        <BoardSkeleton />
      </Loading>
    </Page>
  )
}
