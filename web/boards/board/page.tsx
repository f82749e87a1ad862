import { History, Plus } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation, useParams, useRoute, useSearchParams } from 'wouter'
import { applyEventsTo } from '../../data/applying-events.ts'
import { area, identity } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useLater } from '../../data/later.ts'
import { useShowPresence } from '../../data/presence.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { DraftScope } from '../../drafts/draft-scope.tsx'
import { EditableText } from '../../drafts/editable-text.tsx'
import { sayingReplaced } from '../../drafts/replacing.ts'
import { useMay, useRefusal } from '../../identity/permissions.ts'
import { ViewOnlyMark } from '../../identity/view-only-mark.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock.ts'
import { useCommands } from '../../ui/commands.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Page } from '../../ui/page.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { OptionalSign } from '../../ui/sign.tsx'
import { spot } from '../../ui/spots.ts'
import { LoadingRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { cardOf, isTuckedAway, withOwnGroups } from '../arrangement.ts'
import { useBoards } from '../board-list.ts'
import { BoardMenu } from '../board-menu.tsx'
import { AwaitedFilterBar } from '../filter/awaited-filter-bar.tsx'
import { FilterRoom } from '../filter/filter-room.tsx'
import { isFiltering, matches, readFilters, turningPoints } from '../filter/filters.ts'
import { useGroupActions } from '../group/group-actions.ts'
import { HereNow } from '../present.tsx'
import { useTrashed } from '../trash/use-trashed.ts'
import type { Board, ListedCard, Personal } from '../types.ts'
import { Opening } from './opening.tsx'
import { OpeningCard } from './opening-card.tsx'
import { ProjectBoard } from './project-board.tsx'
import { type Registry, useRegistry } from './registry.ts'
import './page.css'

const FilterBar = loadable(() => import('../filter/filter-bar.tsx'), AwaitedFilterBar)
const BoardTable = loadable(() => import('./board-table.tsx'), LoadingRows)
const BoardCalendar = loadable(() => import('./board-calendar.tsx'), LoadingRows)
const NewCard = loadable(() => import('./new-card.tsx'))
const ManageTags = loadable(() => import('../tag/manage-tags.tsx'))
const CardPanel = loadable(() => import('../card/card-panel.tsx'), OpeningCard)
const DeletedBoard = loadable(() => import('./deleted-board.tsx'))
const ActivityPanel = loadable(() => import('./activity-panel.tsx'))
const newCardSpot = spot('new card')

applyEventsTo(`${area}/boards/get`, {
  versionOf: ({ board }) => board.version,
  load: async () => (await import('./board-events.ts')).applier,
})

export default function BoardPage() {
  const { base } = useProject()
  const id = Number(useParams<{ board: string }>().board)
  const read = useRead(`${area}/boards/get`, { id })
  const personal = useRead(`${area}/boards/get-personal`, { board_id: id })
  const isMissing = failureOf(read.error).code === 'board_not_found'
  const { thing: deleted, isAsking, failed } = useTrashed('board', id, isMissing)
  // The sidebar has loaded them.
  const { data: list } = useBoards()
  // A retry clears the error of a board that never loaded, until there is an answer.
  if (deleted && (isMissing || read.data === undefined))
    return (
      <Page title={deleted.title}>
        <DeletedBoard board={deleted} />
      </Page>
    )
  const query = failed ?? (isAsking ? { ...read, error: null } : read)
  return (
    <Opening
      // Drawn with what is the person's own, so that no group collapses afterwards.
      query={personal.isPending ? { ...query, data: undefined } : query}
      noun="board"
      title={list?.boards.find((board) => board.id === id)?.title}
      listPath={`${base}/boards`}
    >
      {({ board }) => (
        <DraftScope of={`board ${board.id}`}>
          <OpenBoard key={board.id} shared={board} personal={personal.data} />
        </DraftScope>
      )}
    </Opening>
  )
}

function OpenBoard({ shared, personal }: { shared: Board; personal: Personal | undefined }) {
  const { base, me } = useProject()
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const { data: membersRead } = useRead(`${identity}/members/list`)
  const members = useMemo(() => membersRead?.members ?? [], [membersRead])
  const board = useMemo(() => withOwnGroups(shared, personal?.groups), [shared, personal?.groups])
  const comments = useMemo(
    () => new Map((personal?.cards ?? []).map((counts) => [counts.card_id, counts])),
    [personal?.cards],
  )
  const filters = useMemo(() => readFilters(search, me.user.id, comments), [search, me.user.id, comments])
  const all = useMemo(() => board.groups.flatMap(({ cards }) => cards), [board.groups])
  const now = useNow(useMemo(() => turningPoints(all), [all]))
  const cards = useMemo(() => all.filter((card) => matches(card, filters, now)), [all, filters, now])
  const total = useMemo(
    () => all.filter((card) => filters.showsAll || !isTuckedAway(card, now)).length,
    [all, filters.showsAll, now],
  )
  const view = search.get('view')
  const OtherView = view === 'table' ? BoardTable : view === 'calendar' ? BoardCalendar : undefined
  const path = `${base}/boards/${board.id}`
  const query = search.size > 0 ? `?${search}` : ''
  const hrefOf = useCallback(({ id }: ListedCard) => `${path}/cards/${id}${query}`, [path, query])
  const [, cardParams] = useRoute('/p/:project/boards/:board/cards/:card')
  const [isActivity] = useRoute('/p/:project/boards/:board/activity')
  const openCardId = cardParams ? Number(cardParams.card) : undefined
  const [returnTo, setReturnTo] = useState<number>()
  const quickAdds = useRegistry<() => void>()
  const [isAdding, setAdding] = useState(false)
  const mayWork = useMay('work')
  const [isManaging, setManaging] = useState(false)
  const [editingCardId, setEditing] = useState<number | null>(null)
  useShowPresence(board.id, editingCardId)
  const filterWanted = useRef<string>(undefined)
  // Most people open a card next.
  useLater(CardPanel.preload)
  const opened = isActivity ? t('Activity') : openCardId && cardOf(board, openCardId)?.title
  const tabTitle = opened ? `${opened} · ${board.title}` : board.title
  const close = () => {
    // The list that the card was opened from.
    if (history.state?.isFromList) return history.back()
    setReturnTo(openCardId)
    navigate(path + query)
  }
  return (
    <Page
      title={tabTitle}
      width="all"
      heading={<BoardTitle board={board} />}
      actions={
        <BoardActions
          board={board}
          quickAdds={quickAdds}
          activityPath={`${path}${isActivity ? '' : '/activity'}${query}`}
          isActivity={isActivity}
          onAdd={() => setAdding(true)}
        />
      }
      below={
        <FilterRoom>
          <FilterBar
            label={t('Filter the board')}
            page={{ board_id: board.id }}
            views={['board', 'table', 'calendar']}
            cards={all}
            tags={board.tags}
            members={members}
            isBoard
            count={{ shown: cards.length, total }}
            isFiltering={isFiltering(filters)}
            manage={mayWork ? { label: t('Manage tags'), onSelect: () => setManaging(true) } : undefined}
            wanted={filterWanted}
          />
        </FilterRoom>
      }
    >
      <div className="board-and-panel">
        {OtherView ? (
          <OtherView
            board={board}
            members={members}
            cards={cards}
            openCardId={openCardId}
            returnTo={openCardId === undefined ? returnTo : undefined}
            hrefOf={hrefOf}
          />
        ) : (
          <ProjectBoard
            board={board}
            quickAdds={quickAdds}
            members={members}
            comments={comments}
            filters={filters}
            now={now}
            openCardId={openCardId}
            returnTo={openCardId === undefined ? returnTo : undefined}
            path={path}
            query={query}
          />
        )}
        {openCardId !== undefined && (
          <CardPanel
            key={openCardId}
            cardId={openCardId}
            board={board}
            members={members}
            onEditing={setEditing}
            onClose={close}
          />
        )}
        {isActivity && <ActivityPanel board={board} onClose={() => navigate(path + query)} />}
      </div>
      <p className="visually-hidden" role="status">
        {isFiltering(filters) &&
          (cards.length === 0 ? t('No cards match the filters.') : t('The board is filtered.'))}
      </p>
      {isAdding && <NewCard boardId={board.id} onClose={() => setAdding(false)} />}
      {isManaging && <ManageTags board={board} onClose={() => setManaging(false)} />}
    </Page>
  )
}

function BoardTitle({ board }: { board: Board }) {
  const refusal = useRefusal('manage')
  const { saveBoard } = useGroupActions(board.id)
  return (
    <>
      <OptionalSign icon={board.icon} color={board.color} />
      <EditableText
        value={board.title}
        label={t('Rename the board {title}', { title: board.title })}
        place={`title of board ${board.id}`}
        refusal={refusal}
        onSave={sayingReplaced(board.title, (title) => saveBoard({ id: board.id, title }))}
      />
    </>
  )
}

interface ActionsProps {
  board: Board
  quickAdds: Registry<() => void>
  activityPath: string
  isActivity: boolean
  /** Adds a card where no column is shown. */
  onAdd(): void
}

function BoardActions({ board, quickAdds, activityPath, isActivity, onAdd }: ActionsProps) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const work = useRefusal('work')
  const target = board.groups.find((group) => !group.is_collapsed)
  const refusal = work ?? (target ? undefined : t('Add a group first.'))
  const add = () => {
    const quickAdd = target && quickAdds.get(target.id)
    if (quickAdd) quickAdd()
    else onAdd()
  }
  useShortcut('c', add)
  useCommands(() => [
    {
      section: board.title,
      isOfPage: true,
      entries: [{ label: t('Activity'), icon: <History />, onSelect: () => navigate(activityPath) }],
    },
  ])
  return (
    <>
      <HereNow boardId={board.id} />
      <ViewOnlyMark />
      <BoardMenu
        board={board}
        cardsCount={board.groups.reduce((sum, { cards }) => sum + cards.length, 0)}
        onDeleted={() => navigate(`${base}/boards`)}
      />
      <IconButton
        label={t('Activity')}
        icon={<History />}
        aria-pressed={isActivity}
        onClick={() => navigate(activityPath)}
      />
      <Button ref={newCardSpot} look="primary" icon={<Plus />} refusal={refusal} onClick={add}>
        {t('New card')}
      </Button>
    </>
  )
}
