import type { ReactNode } from 'react'
import { failureOf } from '../../data/failure.ts'
import type { Read } from '../../data/read.ts'
import { Failed } from '../../data/reading.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { BoardSkeleton } from './skeleton.tsx'

interface Props<Data> {
  query: Read<Data>
  noun: 'board' | 'template'
  /** Its title, where that is known already. */
  title?: string | undefined
  /** The list that it is in. */
  listPath: string
  children(data: Data): ReactNode
}

/** A board of a project or of a template, or that it is on its way, or why it is not there. */
export function Opening<Data>({ query, noun, title, listPath, children }: Props<Data>) {
  const { data, error, refetch } = query
  // What was read before it was deleted must not look as if it could be changed.
  const isGone = failureOf(error).status === 404
  if (data !== undefined && !isGone) return children(data)
  const name = noun === 'board' ? 'Board' : 'Template'
  if (error)
    return (
      <Page title={name}>
        <Failed
          what={`The ${noun} could not be opened`}
          error={error}
          onRetry={() => void refetch()}
          instead={<ButtonLink href={listPath}>Go to the {noun}s</ButtonLink>}
        />
      </Page>
    )
  return (
    <Page
      title={title ?? name}
      heading={title ?? <span className="visually-hidden">Loading the {noun}</span>}
      width="all"
    >
      <Loading label={`Loading the ${noun}`}>
        <BoardSkeleton />
      </Loading>
    </Page>
  )
}
