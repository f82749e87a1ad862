import type { ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { filtersIn } from './filters.ts'
import './filter-room.css'

/** Keeps the room of the filter bar, whose code is loaded after the cards, so that they do not move when it appears. */
export function FilterRoom({ children }: { children?: ReactNode }) {
  const [search] = useSearchParams()
  return (
    <div className="filter-room" data-has-chips={filtersIn(search).length > 0}>
      {children}
    </div>
  )
}
