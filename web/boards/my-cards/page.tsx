import { useCallback, useMemo } from 'react'
import { dueBucketOf, dueBuckets, dueTime } from '#boards/card/due.ts'
import { area } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { useNow } from '../../ui/clock.ts'
import { midnight } from '../../ui/days.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { dateMove } from '../calendar/date-move.ts'
import { CardRows, type FoundCard } from '../card/card-row.tsx'
import { useFoundCards } from '../card/found-cards.tsx'
import { useUndoableChange } from '../changing.ts'
import FilterBar from '../filter/filter-bar.tsx'
import { useFoundFilters } from '../filter/found-filters.ts'
import { useListing } from '../listing.ts'
import type { ListedCard } from '../types.ts'
import './page.css'

const CardTable = loadable(() => import('../table/table.tsx'))
const CardCalendar = loadable(() => import('../calendar/calendar.tsx'))

export default function MyCardsPage() {
  const query = useFoundCards({ is_mine: true, is_open: true, limit: 200 })
  const found = useFoundFilters(query.cards)
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
          cards={query.cards ?? []}
          count={query.cards && found.count}
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
          ) : isList ? (
            <Sections cards={found.shown} />
          ) : (
            <OtherView {...found} />
          )
        }
      </Reading>
      <ShowMore query={query} />
    </Page>
  )
}

/** Cards of several boards as a table or a calendar. */
function OtherView({ shown, view, tags, members }: ReturnType<typeof useFoundFilters<FoundCard>>) {
  const { base } = useProject()
  const refusal = useRefusal('work')
  const { mutate, mutateAsync } = useWrite(`${area}/cards/update`, { failed: t('The card was not changed') })
  const change = useUndoableChange(mutate)
  const rename = useCallback(({ id }: ListedCard, title: string) => mutateAsync({ id, title }), [mutateAsync])
  const listing = useListing(useGroups(shown), tags, members)
  const hrefOf = useCallback(
    (card: ListedCard) => `${base}/boards/${(card as FoundCard).board_id}/cards/${card.id}`,
    [base],
  )
  const isFixed = refusal !== undefined
  if (view === 'calendar')
    return (
      <CardCalendar
        label={t('Due dates of your cards')}
        cards={shown}
        hrefOf={hrefOf}
        onMove={isFixed ? undefined : dateMove(mutate)}
      />
    )
  return (
    <CardTable
      label={t('Your cards')}
      cards={shown}
      listing={listing}
      hrefOf={hrefOf}
      canMove={false}
      onChange={isFixed ? undefined : change}
      onRename={isFixed ? undefined : rename}
    />
  )
}

/** The groups of cards on several boards, named with their boards. */
const useGroups = (cards: readonly FoundCard[]) =>
  useMemo(
    () =>
      [...Map.groupBy(cards, ({ group_id }) => group_id).values()].map(([card]) => {
        const { group_id, board_title, group_title, group_icon, group_color } = card as FoundCard
        return {
          id: group_id,
          title: `${board_title} › ${group_title}`,
          icon: group_icon,
          color: group_color,
        }
      }),
    [cards],
  )

function Sections({ cards }: { cards: FoundCard[] }) {
  const now = useNow(useMemo(() => cards.map(dueTime), [cards]))
  const held = Map.groupBy(cards.toSorted(byDue), (card) => dueBucketOf(card, now, midnight))
  return dueBuckets.map((bucket) => <Section key={bucket} bucket={bucket} held={held.get(bucket)} />)
}

const sections = {
  overdue: t('Overdue'),
  today: t('Today'),
  week: t('Next 7 days'),
  later: t('Later'),
  none: t('No due date'),
}

function Section({ bucket, held }: { bucket: keyof typeof sections; held: FoundCard[] | undefined }) {
  if (!held) return null
  const section = sections[bucket]
  return (
    <section className="my-cards-section">
      <h2 data-overdue={bucket === 'overdue'}>
        {section} <span className="numbers">{held.length}</span>
      </h2>
      <CardRows cards={held} label={section} />
    </section>
  )
}

const byDue = (a: FoundCard, b: FoundCard) => (dueTime(a) || 0) - (dueTime(b) || 0)
