import { Search } from 'lucide-react'
import { useDeferredValue } from 'react'
import { useSearchParams } from 'wouter'
import { CardRows } from '../../card/card-row.tsx'
import { useFoundCards } from '../../card/found-cards.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading, SkeletonRows } from '../../ui/states.tsx'
import './page.css'

export default function SearchPage() {
  const [search, setSearch] = useSearchParams()
  const text = search.get('q') ?? ''
  const query = useDeferredValue(text.trim())
  const { cards, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useFoundCards(
    { query },
    query !== '',
  )
  return (
    <Page title="Search">
      <search>
        <label className="search-field">
          <Search aria-hidden="true" />
          <span className="visually-hidden">Search the cards of this project</span>
          <input
            type="search"
            // biome-ignore lint/a11y/noAutofocus: the page has no other purpose.
            autoFocus
            maxLength={255}
            dir="auto"
            placeholder="Words of a title or a description"
            value={text}
            onChange={(event) =>
              setSearch(event.target.value === '' ? {} : { q: event.target.value }, { replace: true })
            }
          />
        </label>
      </search>
      {query === '' && (
        <Empty title="Find a card">Every word has to be in its title or its description.</Empty>
      )}
      {error && !cards && <Failed what="The search failed" error={error} onRetry={() => void refetch()} />}
      {query !== '' && !cards && !error && (
        <Loading>
          <SkeletonRows />
        </Loading>
      )}
      <p role="status" className="search-count numbers">
        {query !== '' && cards && cards.length > 0 && `${cards.length}${hasNextPage ? '+' : ''} found`}
      </p>
      {query !== '' && cards?.length === 0 && (
        <Empty title={`Nothing found for “${query}”`}>Try fewer words.</Empty>
      )}
      {query !== '' && cards && cards.length > 0 && <CardRows cards={cards} label="Found cards" />}
      {query !== '' && hasNextPage && (
        <Button look="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  )
}
