import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { dueTime, isOverdue } from '#boards/card/due.ts'
import { area, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { together, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock.ts'
import { Page } from '../../ui/page.tsx'
import { OptionalSign } from '../../ui/sign.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { useBoards } from '../board-list.ts'
import { CardRows, type FoundCard } from '../card/card-row.tsx'
import './page.css'

type Home = Output<`${typeof area}/home/get`>
type Board = Output<`${typeof area}/boards/list`>['boards'][number]

/** Two rows of tiles on a usual window, and as many cards of each kind as fit beside each other. */
const mostTiles = 8
const mostRows = 6

/** The first page after signing in. */
export default function HomePage() {
  const query = together(useRead(`${area}/home/get`), useBoards())
  return (
    <Page title={t('Home')}>
      <Reading query={query} failed={t('Home could not be loaded')}>
        {([home, { boards }]) => (
          <>
            <Boards boards={boards} changes={home.boards} />
            <Cards home={home} />
          </>
        )}
      </Reading>
    </Page>
  )
}

function Boards({ boards, changes }: { boards: Board[]; changes: Home['boards'] }) {
  const { base } = useProject()
  const changedAt = new Map(changes.map(({ board_id, changed_at }) => [board_id, changed_at]))
  const latest = boards.toSorted((a, b) => timeOf(changedAt.get(b.id)) - timeOf(changedAt.get(a.id)))
  const all = <ButtonLink href={`${base}/boards`}>{t('Go to boards')}</ButtonLink>
  if (boards.length === 0)
    return (
      <Empty title={t('No boards yet')} action={all}>
        {t('A board holds the groups and cards of one line of work.')}
      </Empty>
    )
  return (
    <section className="home-section" aria-labelledby="home-boards">
      <h2 id="home-boards">{t('Recently changed boards')}</h2>
      <ul className="home-tiles">
        {latest.slice(0, mostTiles).map((board) => (
          <Tile key={board.id} board={board} changedAt={changedAt.get(board.id)} />
        ))}
      </ul>
      {boards.length > mostTiles && (
        <Link href={`${base}/boards`} className="home-more">
          {t('All {count} boards', { count: boards.length })}
        </Link>
      )}
    </section>
  )
}

/** Boards without a recent change come last, in their own order. */
const timeOf = (at: string | undefined) => (at === undefined ? 0 : Date.parse(at))

function Tile({ board, changedAt }: { board: Board; changedAt: string | undefined }) {
  const { base } = useProject()
  return (
    <li className="home-tile">
      <Link href={`${base}/boards/${board.id}`} className="home-tile-title">
        <OptionalSign icon={board.icon} color={board.color} />
        <span className="truncate" dir="auto">
          {board.title}
        </span>
      </Link>
      <p className="home-tile-counts numbers">
        {counted(board.open_cards_count, { one: '{count} open card', other: '{count} open cards' })}
        {board.overdue_cards_count > 0 && (
          <span className="home-overdue">
            {' · '}
            {t('{count} overdue', { count: board.overdue_cards_count })}
          </span>
        )}
      </p>
      <p>{changedAt !== undefined && rich('Changed {ago}', { ago: <Ago at={changedAt} /> })}</p>
    </li>
  )
}

function Cards({ home: { cards, cards_count: count, unread } }: { home: Home }) {
  const { base } = useProject()
  const now = useNow(useMemo(() => cards.map(dueTime), [cards]))
  const overdue = cards.filter((card) => isOverdue(card, now))
  const others = cards.filter((card) => !isOverdue(card, now))
  if (cards.length === 0 && unread.length === 0)
    return (
      <Empty title={t("You're all caught up")}>
        {t('Open cards assigned to you and unread comments appear here.')}
      </Empty>
    )
  const more = count > mostRows && (
    <Link href={`${base}/my-cards`} className="home-more">
      {t('All {count} cards assigned to you', { count })}
    </Link>
  )
  return (
    <div className="home-columns">
      {cards.length > 0 && (
        <div>
          <Rows title={t('Overdue')} cards={overdue} isOverdue />
          <Rows title={t('Assigned to you')} cards={others} />
          {more}
        </div>
      )}
      <Rows title={t('Unread comments')} cards={unread} canShowAll />
    </div>
  )
}

interface RowsProps {
  title: string
  cards: readonly (FoundCard & { unread_count?: number })[]
  isOverdue?: boolean
  /** Set where no other page has the rest. */
  canShowAll?: boolean
}

function Rows({ title, cards, isOverdue = false, canShowAll = false }: RowsProps) {
  const [showsAll, setShowsAll] = useState(false)
  if (cards.length === 0) return null
  const shown = showsAll ? cards : cards.slice(0, mostRows)
  return (
    <section className="home-section">
      <h2 data-overdue={isOverdue}>{title}</h2>
      <CardRows cards={shown} label={title} />
      {canShowAll && shown.length < cards.length && (
        <Button look="quiet" className="home-more" onClick={() => setShowsAll(true)}>
          {t('Show {count} more', { count: cards.length - shown.length })}
        </Button>
      )}
    </section>
  )
}
