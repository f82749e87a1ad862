import { Search } from 'lucide-react'
import { useRef } from 'react'
import { useSearchParams } from 'wouter'
import { failureOf } from '../../data/failure.ts'
import { Reading } from '../../data/reading.tsx'
import { Page } from '../../ui/page.tsx'
import { useSettled } from '../../ui/settled.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { CardRows, type FoundCard } from '../card/card-row.tsx'
import { useFoundCards } from '../card/found-cards.tsx'
import FilterBar from '../filter/filter-bar.tsx'
import { filtersIn } from '../filter/filters.ts'
import { useFoundFilters } from '../found/found-filters.ts'
import { FoundMenu } from '../found/found-menu.tsx'
import { OtherView } from '../found/other-view.tsx'
import { useRowSelecting } from '../found/row-selecting.ts'
import type { Selecting } from '../selecting.ts'
import './page.css'

export default function SearchPage() {
  const [search, setSearch] = useSearchParams()
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', () => field.current?.focus())
  const text = search.get('q') ?? ''
  const query = useSettled(text.trim())
  // A short page is there sooner; filters and other views need all cards.
  const limit = search.has('view') || filtersIn(search).length > 0 ? 200 : 30
  const found = useFoundCards({ query, limit }, query !== '')
  const filtered = useFoundFilters(found)
  const isList = filtered.view !== 'table' && filtered.view !== 'calendar'
  return (
    <Page
      title={t('Search')}
      width={isList ? 'list' : 'all'}
      below={
        <>
          <search>
            <label className="search-field">
              <Search aria-hidden="true" />
              <span className="visually-hidden">{t('Search the cards of this project')}</span>
              <input
                ref={field}
                type="search"
                // biome-ignore lint/a11y/noAutofocus: the page has no other purpose.
                autoFocus
                maxLength={255}
                dir="auto"
                placeholder={t('Search cards')}
                value={text}
                onChange={(event) => {
                  const asked = event.target.value
                  setSearch(
                    (before) => {
                      const next = new URLSearchParams(before)
                      if (asked === '') next.delete('q')
                      else next.set('q', asked)
                      return next
                    },
                    { replace: true },
                  )
                }}
              />
            </label>
          </search>
          <div className="search-filters">
            <FilterBar
              {...filtered}
              label={t('Filter what was found')}
              page={{ page: 'search' }}
              views={['list', 'table', 'calendar']}
              count={filtered.isFiltering ? filtered.count : undefined}
              isBoard={false}
            />
          </div>
        </>
      }
    >
      {query === '' ? (
        <Empty title={t('Find a card')}>{t('Searches titles and descriptions.')}</Empty>
      ) : failureOf(found.error).code === 'query_too_slow' ? (
        <Empty title={t('This search takes too long')}>{t('Try more or longer words.')}</Empty>
      ) : (
        <>
          <Reading query={{ ...found, data: found.cards }} failed={t('The search failed')}>
            {(cards) =>
              cards.length === 0 ? (
                <Empty title={t('Nothing found for “{query}”', { query })}>
                  {/[\p{L}\p{N}]/u.test(query)
                    ? t('Check the spelling, or try fewer words.')
                    : t('Emoji and punctuation are found in titles only. Try a word.')}
                </Empty>
              ) : (
                <FoundMenu {...filtered}>
                  {(selecting) =>
                    isList ? (
                      <>
                        <p role="status" className="search-count numbers">
                          {found.hasNextPage
                            ? t('{count}+ found', { count: cards.length })
                            : t('{count} found', { count: cards.length })}
                        </p>
                        <Rows cards={filtered.shown} selecting={selecting} />
                      </>
                    ) : (
                      <OtherView
                        {...filtered}
                        selecting={selecting}
                        tableLabel={t('Found cards')}
                        calendarLabel={t('Due dates of found cards')}
                      />
                    )
                  }
                </FoundMenu>
              )
            }
          </Reading>
          {!filtered.isLoadingAll && <ShowMore query={found} />}
        </>
      )}
    </Page>
  )
}

const Rows = ({ cards, selecting }: { cards: FoundCard[]; selecting: Selecting | undefined }) => (
  <CardRows cards={cards} label={t('Found cards')} selecting={useRowSelecting(selecting, cards)} />
)
