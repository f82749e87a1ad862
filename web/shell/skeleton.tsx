import { useLocation } from 'wouter'
import { BoardSkeleton } from '../boards/board/skeleton.tsx'
import { t } from '../words/words.ts'
import '../ui/page.css'
import { pageHeading } from '../ui/keep-focus.ts'
import { loadable } from '../ui/loadable.tsx'
import { RailProvider, useRail } from '../ui/rail-state.tsx'
import { Loading, Skeleton, SkeletonRows } from '../ui/states.tsx'
import './rail.css'
import './shell.css'
import './skeleton.css'

export const NotAnswering = loadable(() => import('./not-answering.tsx'))

/** The placeholder of the app until the signed-in user is known. */
export const ShellSkeleton = () => (
  <Loading label={t('Loading Cardinal')}>
    <RailProvider>
      <Outline />
    </RailProvider>
  </Loading>
)

function Outline() {
  const { isFolded } = useRail()
  const [location] = useLocation()
  const isBoard = /\/(boards|templates)\/\d/.test(location)
  return (
    <div className="shell">
      <div className="shell-top">
        <NotAnswering />
      </div>
      <div className="rail" data-folded={isFolded}>
        <div className="shell-skeleton">
          {['70%', '45%', '55%', '40%', '50%', '35%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      </div>
      <main className="shell-content">
        <h1 ref={pageHeading} className="visually-hidden">
          {'Cardinal'}
        </h1>
        <div className="page" data-width={isBoard ? 'all' : 'list'}>
          <div className="page-header">
            <Skeleton width={140} height={16} />
          </div>
          {isBoard ? (
            <BoardSkeleton />
          ) : (
            <div className="page-body slim-scroll">
              <div className="page-measure">
                <SkeletonRows />
              </div>
            </div>
          )}
        </div>
      </main>
    </div>
  )
}
