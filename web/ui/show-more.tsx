import { t } from '../words/words.ts'
import { Button } from './button.tsx'

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage(): unknown }
  label?: string
}

/** A button for the next page of a list, if there is one. */
export function ShowMore({ query, label = t('Show more') }: Props) {
  if (!query.hasNextPage) return null
  return (
    <Button look="quiet" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
      {label}
    </Button>
  )
}
