import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { showFailure } from '../data/failure.ts'
import { patiently } from '../data/save-all-pages.ts'
import { t } from '../words/words.ts'

interface Page<Row> {
  rows: readonly Row[]
  next_cursor: string | null
}

/** The most that the service gives at once. */
const rowsAtOnce = 200
/** The most projects that the service changes at once. */
const idsAtOnce = 1000

/** Splits a list into parts that the service takes at once. */
export const inParts = <Thing>(things: readonly Thing[]): Thing[][] =>
  Array.from({ length: Math.ceil(things.length / idsAtOnce) }, (_, part) =>
    things.slice(part * idsAtOnce, (part + 1) * idsAtOnce),
  )

/** What the checkbox of a row does: it selects the row or takes it out, and with Shift also all rows between it and the one before. */
export function useRowToggle(
  rows: readonly { id: number }[],
  selected: ReadonlySet<number>,
  onSelect: (selected: ReadonlySet<number>) => void,
) {
  const before = useRef<number>(undefined)
  return (id: number, { target, nativeEvent }: ChangeEvent<HTMLInputElement>) => {
    const places = [before.current, id].map((one) => rows.findIndex((row) => row.id === one))
    const isRange = (nativeEvent as MouseEvent).shiftKey && !places.includes(-1)
    const changed = isRange ? rows.slice(Math.min(...places), Math.max(...places) + 1) : [{ id }]
    const next = new Set(selected)
    for (const row of changed)
      if (target.checked) next.add(row.id)
      else next.delete(row.id)
    before.current = id
    onSelect(next)
  }
}

/**
 * The rows that are selected in a list of which only a part is loaded. A row that was selected stays so when the list shows others; `readPage`
 * reads the rest of what matches, for `selectAll`, which selects at most `most`.
 */
export function useSelection<Row extends { id: number }>(
  loaded: readonly Row[] | undefined,
  readPage: (page: { limit: number; cursor: string | null }) => Promise<Page<Row>>,
  most = Number.POSITIVE_INFINITY,
) {
  const known = useRef(new Map<number, Row>())
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [gathered, setGathered] = useState<number>()
  for (const row of loaded ?? []) known.current.set(row.id, row)
  const isGone = useRef(false)
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
    }
  }, [])
  const selectAll = async () => {
    const ids = new Set<number>()
    setGathered(0)
    try {
      for (let cursor: string | null = null, isMore = true; isMore && !isGone.current; ) {
        const page: Page<Row> = await patiently(() => readPage({ limit: rowsAtOnce, cursor }))
        for (const row of page.rows.slice(0, most - ids.size)) {
          known.current.set(row.id, row)
          ids.add(row.id)
        }
        setGathered(ids.size)
        cursor = page.next_cursor
        isMore = cursor !== null && ids.size < most
      }
      setSelected(ids)
    } catch (error) {
      showFailure(t('Not all could be selected'), error, 'select all')
    }
    setGathered(undefined)
  }
  return {
    selected,
    setSelected,
    /** How many have been read so far, while all are being selected. */
    gathered,
    selectAll,
    chosen: [...selected].flatMap((id) => known.current.get(id) ?? []),
  }
}
