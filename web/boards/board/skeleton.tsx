import { Skeleton } from '../../ui/states.tsx'
import { FilterRoom } from '../filter/filter-room.tsx'
import './skeleton.css'

/** The placeholder of a board while it loads. */
export function BoardSkeleton() {
  return (
    <>
      <div className="page-below">
        <FilterRoom />
      </div>
      <div className="board-skeleton" aria-hidden="true">
        {[5, 7, 3, 4].map((cards, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
          <div key={column} className="board-skeleton-column">
            <Skeleton width={120} />
            {Array.from({ length: cards }, (_, card) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above.
              <Skeleton key={card} height={70} />
            ))}
          </div>
        ))}
      </div>
    </>
  )
}
