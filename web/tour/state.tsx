// Whether the tour is open, and what every page shows of it; its code is loaded only in projects that have one.
import { ListChecks } from 'lucide-react'
import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { area } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf, useRead } from '../data/read.ts'
import { useWrite } from '../data/write.ts'
import { useRefusal } from '../identity/permissions.ts'
import { loadable } from '../ui/loadable.tsx'
import { useRail } from '../ui/rail-state.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { t } from '../words/words.ts'
import { isDone, listPath, type TourCard, type TourRead } from './types.ts'
import './entry.css'

const Tour = loadable(() => import('./tour.tsx'), TourRoom)

const none: readonly TourCard[] = []

interface TourState {
  /** The steps, in their order; none if the project has no tour, or the person can only look. */
  cards: readonly TourCard[]
  /** A tour that opened by itself leaves the focus where it is. */
  opened: false | 'by itself' | 'by the person'
  /** True if steps are on their way. */
  isAwaited: boolean
  open(): void
  /** Once closed, it no longer opens by itself. */
  close(): void
  pane: RefObject<HTMLElement | null>
}

/** Where it would cover much of the first screen. */
const isOnPhone = () => window.matchMedia('(max-width: 560px)').matches

const TourContext = createContext<TourState | undefined>(undefined)

export function TourProvider({ children }: { children: ReactNode }) {
  const { id, me } = useProject()
  const { data, isPending: isLoading } = useRead(listPath)
  const { mutate: markSeen } = useWrite(`${area}/tour/cards/mark-seen`, {
    failed: t('The tour was not marked as seen'),
    change: (cache) =>
      cache.setQueryData<TourRead>(keyOf(id, listPath), (read) => read && { ...read, is_seen: true }),
    refreshes: [],
    isAside: true,
  })
  const pane = useRef<HTMLElement>(null)
  const isNew = data !== undefined && !data.is_seen
  const isOnlyLooking = useRefusal('work') === viewOnly
  const cards = isOnlyLooking ? none : (data?.cards ?? none)
  // Known before the page is shown, so that there is room at once and nothing moves when the steps arrive.
  const expected = isLoading && !isOnlyLooking ? me.current_project?.tour : undefined
  const opensItself = (expected === 'opens' || (isNew && !cards.every(isDone))) && !isOnPhone()
  const isAwaited = expected === 'opens' || expected === 'closed'
  const [opened, setOpened] = useState<TourState['opened']>(opensItself && 'by itself')
  useEffect(() => {
    if (opensItself) setOpened((before) => before || 'by itself')
  }, [opensItself])
  const state = useMemo(
    () => ({
      cards,
      opened,
      isAwaited,
      pane,
      open() {
        setOpened('by the person')
        // Where it is open already.
        pane.current?.focus()
      },
      close() {
        setOpened(false)
        if (isNew) markSeen({})
      },
    }),
    [cards, opened, isAwaited, isNew, markSeen],
  )
  return <TourContext value={state}>{children}</TourContext>
}

export function useTour(): TourState {
  const state = use(TourContext)
  if (!state) throw new Error('This component belongs inside the shell.')
  return state
}

export function TourPane() {
  const { cards, isAwaited } = useTour()
  return cards.length > 0 ? <Tour /> : isAwaited && <TourRoom />
}

/** Where the tour will be. */
function TourRoom() {
  return useTour().opened && <div className="tour" aria-hidden="true" />
}

/** In the sidebar as long as there is something to do. */
export function TourEntry() {
  const { cards, opened, isAwaited, open, close } = useTour()
  const { draw } = useRail()
  if (isAwaited) return <div className="rail-link" aria-hidden="true" />
  const done = cards.filter(isDone).length
  if (cards.length === 0 || (done === cards.length && !opened)) return null
  return (
    <button
      type="button"
      className="rail-link tour-entry"
      aria-expanded={opened !== false}
      onClick={() => {
        if (opened) return close()
        draw(false)
        open()
      }}
    >
      <ListChecks />
      <span className="truncate">{t('Getting started')}</span>
      <span className="tour-entry-count numbers">
        <span aria-hidden="true">
          {done}/{cards.length}
        </span>
        <span className="visually-hidden">{t('{done} of {all} done', { done, all: cards.length })}</span>
      </span>
    </button>
  )
}

/** The checklist comes last on the page, so this leads there by keyboard. */
export function TourSkipLink() {
  const { cards, opened } = useTour()
  const { isDrawn } = useRail()
  if (!opened || cards.length === 0) return null
  return (
    <a className="skip-link" href="#tour" inert={isDrawn}>
      {t('Skip to Getting started')}
    </a>
  )
}
