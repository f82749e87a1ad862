import { Button } from './button.tsx'

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown }
  label?: string
}

/** The next page of a list, where there is one. */
export function ShowMore({ query, label = 'Show more' }: Props) {
  if (!query.hasNextPage) return null
  return (
    <Button look="quiet" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  )
}
