import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useLater } from '../../data/later.ts'
import { useMay } from '../../identity/permissions.ts'
import type { Member } from '../../projects/types.ts'
import { loadable } from '../../ui/loadable.tsx'
import { useCardActions } from '../card/card-actions.ts'
import { type CardContext, CardMeta } from '../card/card-face.tsx'
import { tuckAwayEntries } from '../card/tucking-away.tsx'
import { type Filters, isOnlyTuckedAway, matches, withoutFilters } from '../filter/filters.ts'
import { useGroupActions } from '../group/group-actions.ts'
import { useRefusals } from '../refusals.ts'
import { useHasSelection, useSelection } from '../selection.ts'
import type { Board as BoardData, Card } from '../types.ts'
import { Board } from './board.tsx'
import type { Registry } from './registry.ts'
import type { Tools } from './stage.ts'

const BoardTools = loadable(() => import('./board-tools.tsx'))
const GroupSettings = loadable(() => import('../group/group-settings.tsx'))

interface Props {
  board: BoardData
  members: readonly Member[]
  comments: CardContext['comments']
  filters: Filters
  /** The current time from `useNow`. */
  now: number
  quickAdds: Registry<() => void>
  openCardId: number | undefined
  returnTo: number | undefined
  /** The board's path, and its query. */
  path: string
  query: string
}

/** A project's board: applies filters and permissions. */
export function ProjectBoard({ board, members, comments, filters, now, path, query, ...rest }: Props) {
  const cards = useCardActions(board.id)
  const groupActions = useGroupActions(board.id)
  const [settingsOf, setSettingsOf] = useState<number>()
  const groups = useMemo(() => ({ ...groupActions, openSettings: setSettingsOf }), [groupActions])
  const group = board.groups.find(({ id }) => id === settingsOf)
  const refusals = useRefusals()
  const visible = useMemo(
    () =>
      new Map(
        board.groups.map((group) => [group.id, group.cards.filter((card) => matches(card, filters, now))]),
      ),
    [board, filters, now],
  )
  const tuckedCounts = useMemo(
    () =>
      new Map(
        board.groups.map(({ id, cards }) => [
          id,
          cards.filter((card) => isOnlyTuckedAway(card, filters, now)).length,
        ]),
      ),
    [board, filters, now],
  )
  const face = useFace(board, members, comments)
  const hrefOf = useCallback((cardId: number) => `${path}/cards/${cardId}${query}`, [path, query])
  const showAllHref = `${path}?${new URLSearchParams([...new URLSearchParams(query), ['show', 'all']])}`
  const [, navigate] = useLocation()
  const clear = () => {
    const kept = withoutFilters(new URLSearchParams(query))
    navigate(kept.size > 0 ? `${path}?${kept}` : path)
  }
  const filter = { hides: (card: Card) => !matches(card, filters, now), clear }
  const ownEntries = (card: Card) => tuckAwayEntries(card, cards, refusals.refusal)
  const selection = useSelection()
  const tools = useRef<Tools>(undefined)
  const several = useMay('work') ? { selection } : {}
  const hasTools = useHasSelection(selection)
  const [isSettled, setSettled] = useState(false)
  const waiting = useRef<(() => void)[]>([])
  const actNow = useCallback(() => {
    for (const act of waiting.current.splice(0)) act()
  }, [])
  const withTools = (act: () => void) => {
    if (tools.current) return act()
    waiting.current.push(act)
    setSettled(true)
    BoardTools.load().catch(actNow)
  }
  useLater(() => setSettled(true))
  return (
    <>
      <Board
        {...rest}
        content={{
          board,
          noun: 'board',
          visible,
          ownEntries,
          filter,
          tools,
          withTools,
          ...refusals,
          ...several,
        }}
        actions={{ cards, groups }}
        face={face}
        hrefOf={hrefOf}
        tuckedCounts={tuckedCounts}
        showAllHref={filters.showsAll ? undefined : showAllHref}
      >
        {(isSettled || hasTools) && (
          <BoardTools board={board} members={members} selection={selection} tools={tools} onReady={actNow} />
        )}
      </Board>
      {group && (
        <GroupSettings
          group={group}
          doneClosesCards={board.done_closes_cards}
          refusal={refusals.refusal}
          onChange={(fields) => groupActions.update({ id: group.id, ...fields })}
          onDescription={(description) => groupActions.save({ id: group.id, description })}
          onClose={() => setSettingsOf(undefined)}
        />
      )}
    </>
  )
}

function useFace(board: BoardData, members: readonly Member[], comments: CardContext['comments']) {
  const context = useMemo(
    () => ({
      tags: new Map(board.tags.map((tag) => [tag.id, tag])),
      members: new Map(members.map((member) => [member.user_id, member])),
      comments,
    }),
    [board.tags, members, comments],
  )
  return useCallback((card: Card) => <CardMeta card={card} context={context} />, [context])
}
