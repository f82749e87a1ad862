import { useMemo } from 'react'
import { dueBucketOf, dueBuckets, dueTime } from '#boards/card/due.ts'
import { Reading } from '../../data/reading.tsx'
import { useNow } from '../../ui/clock.ts'
import { midnight } from '../../ui/days.ts'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { CardRows, type FoundCard } from '../card/card-row.tsx'
import { useFoundCards } from '../card/found-cards.tsx'
import FilterBar from '../filter/filter-bar.tsx'
import { useDescribed, useFoundFilters } from '../found/found-filters.ts'
import { FoundMenu } from '../found/found-menu.tsx'
import { OtherView } from '../found/other-view.tsx'
import { useRowSelecting } from '../found/row-selecting.ts'
import type { RowSelecting, Selecting } from '../selecting.ts'
import './page.css'

const mine = { is_mine: true, is_open: true, limit: 200 }

export default function MyCardsPage() {
  const query = useFoundCards(mine)
  const found = useFoundFilters(query, useDescribed(mine))
  const isList = found.view !== 'table' && found.view !== 'calendar'
  return (
    <Page
      title={t('My cards')}
      width={isList ? 'list' : 'all'}
      below={
        <FilterBar
          {...found}
          label={t('Filter your cards')}
          page={{ page: 'my_cards' }}
          views={['list', 'table', 'calendar']}
          isBoard={false}
        />
      }
    >
      <Reading query={{ ...query, data: query.cards }} failed={t('Your cards could not be loaded')}>
        {(cards) =>
          cards.length === 0 ? (
            <Empty title={t("You're all caught up")}>
              {t('Open cards assigned to you appear here, most urgent first.')}
            </Empty>
          ) : (
            <FoundMenu {...found}>
              {(selecting) =>
                isList ? (
                  <Sections cards={found.shown} selecting={selecting} />
                ) : (
                  <OtherView
                    {...found}
                    selecting={selecting}
                    tableLabel={t('Your cards')}
                    calendarLabel={t('Due dates of your cards')}
                  />
                )
              }
            </FoundMenu>
          )
        }
      </Reading>
      {!found.isLoadingAll && <ShowMore query={query} />}
    </Page>
  )
}

function Sections({ cards, selecting }: { cards: FoundCard[]; selecting: Selecting | undefined }) {
  const now = useNow(useMemo(() => cards.map(dueTime), [cards]))
  const held = Map.groupBy(cards.toSorted(byDue), (card) => dueBucketOf(card, now, midnight))
  const inOrder = dueBuckets.flatMap((bucket) => held.get(bucket) ?? [])
  const rows = useRowSelecting(selecting, inOrder)
  return dueBuckets.map((bucket) => (
    <Section key={bucket} bucket={bucket} held={held.get(bucket)} selecting={rows} />
  ))
}

const sections = {
  overdue: t('Overdue'),
  today: t('Today'),
  week: t('Next 7 days'),
  later: t('Later'),
  none: t('No due date'),
}

interface SectionProps {
  bucket: keyof typeof sections
  held: FoundCard[] | undefined
  selecting: RowSelecting | undefined
}

function Section({ bucket, held, selecting }: SectionProps) {
  if (!held) return null
  const section = sections[bucket]
  return (
    <section className="my-cards-section">
      <h2 data-overdue={bucket === 'overdue'}>
        {section} <span className="numbers">{held.length}</span>
      </h2>
      <CardRows cards={held} label={section} selecting={selecting} />
    </section>
  )
}

const byDue = (a: FoundCard, b: FoundCard) => (dueTime(a) || 0) - (dueTime(b) || 0)
