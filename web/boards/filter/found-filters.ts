import { useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { area, identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useNow } from '../../ui/clock.ts'
import type { ListedCard } from '../types.ts'
import { isFiltering, matches, readFilters, turningPoints } from './filters.ts'

const noComments = new Map<number, never>()
const none: never[] = []

/** Applies the filters of the address to cards of several boards, which the service has found and all of which are shown otherwise. */
export function useFoundFilters<Card extends ListedCard>(cards: readonly Card[] = none) {
  const { me } = useProject()
  const [search] = useSearchParams()
  const { data: memberRead } = useRead(`${identity}/members/list`)
  const { data: tagRead } = useRead(`${area}/tags/list`)
  const filters = useMemo(
    () => ({ ...readFilters(search, me.user.id, noComments), showsAll: true }),
    [search, me.user.id],
  )
  const now = useNow(useMemo(() => turningPoints(cards), [cards]))
  const shown = useMemo(() => cards.filter((card) => matches(card, filters, now)), [cards, filters, now])
  return {
    shown,
    view: search.get('view') ?? 'list',
    tags: tagRead?.tags ?? none,
    members: memberRead?.members ?? none,
    count: { shown: shown.length, total: cards.length },
    isFiltering: isFiltering(filters),
  }
}
