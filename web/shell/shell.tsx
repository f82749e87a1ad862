import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { useHasOrder } from '../billing/subscriptions.ts'
import { clientOf, identity } from '../data/client.ts'
import { failureOf } from '../data/failure.ts'
import { forgetOwn } from '../data/own-storage.ts'
import type { Me } from '../data/project.tsx'
import { ProjectProvider } from '../data/project.tsx'
import { Failed } from '../data/reading.tsx'
import { claimDrafts } from '../drafts/drafts.ts'
import { SignOut } from '../identity/sign-out.tsx'
import { asVisitor, isSupport } from '../identity/support.ts'
import { PhotosProvider } from '../projects/photos.tsx'
import { movedToOperator, routes } from '../routes.ts'
import { TourPane, TourProvider, TourSkipLink } from '../tour/state.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { loadable } from '../ui/loadable.tsx'
import { RailProvider } from '../ui/rail-state.tsx'
import { t } from '../words/words.ts'
import { Alone } from './alone.tsx'
import { Frame } from './frame.tsx'
import { useLanguageOf } from './language-of.ts'
import { useLive } from './live.ts'
import { movedRoutes, Pages, usePageLoading } from './pages.tsx'
import { Rail } from './rail.tsx'
import { ShellSkeleton } from './skeleton.tsx'

const OrderReminder = loadable(() => import('../billing/order-reminder.tsx'))
const SupportBanner = loadable(() => import('./support-banner.tsx'))
const OpenAsSupport = loadable(() => import('./open-as-support.tsx'))
const NotOpened = loadable(() => import('../projects/not-opened.tsx'))
const SecondFactorNeeded = loadable(() => import('../identity/second-factor-needed.tsx'))

export function Shell({ projectId }: { projectId: number }) {
  // Started before anything is read, so that little has to be refetched once it is connected.
  const isConnected = useLive(projectId)
  usePageLoading('/p/:project', routes)
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, `${identity}/users/me`],
    queryFn: () => clientOf(projectId).call(`${identity}/users/me`, { with_tour: true }),
    enabled: Number.isSafeInteger(projectId),
  })
  // A retry clears the error until there is an answer, and the page would flicker every second.
  const lastError = useRef<unknown>(null)
  lastError.current = error ?? lastError.current
  const isOtherLanguage = useLanguageOf(data)
  if (!Number.isSafeInteger(projectId)) return <Redirect to="/" replace />
  // A project that was open can be lost: it was deleted, or the person was removed.
  const problem = failureOf(error).code === 'forbidden' ? error : data ? null : lastError.current
  if (problem) {
    const { code } = failureOf(problem)
    if (code === 'second_factor_setup_required')
      return (
        <Alone title={t('Not opened')}>
          <SecondFactorNeeded to={location.pathname + location.search} instead={<SignOut />} />
        </Alone>
      )
    const own = <ButtonLink href="/">{t('Go to your project')}</ButtonLink>
    return (
      <Alone title={t('Not opened')}>
        {code === 'forbidden' ? (
          <NotOpened id={projectId} own={own} />
        ) : (
          <Failed
            what={t('This project could not be opened')}
            error={problem}
            onRetry={() => void refetch()}
            instead={own}
          />
        )}
      </Alone>
    )
  }
  if (!data || isOtherLanguage) return <ShellSkeleton />
  return <Visited key={data.user.id} projectId={projectId} me={data} isConnected={isConnected} />
}

interface OpenProps {
  projectId: number
  me: Me
  isConnected: boolean
}

/** A superadmin who is no member says first why they open the project. */
function Visited({ projectId, me, isConnected }: OpenProps) {
  const open = { projectId, me, isConnected }
  if (!isSupport(me)) return <Connected {...open} />
  const visit = me.current_project?.support_visit
  if (!visit)
    return (
      <Switch>
        {movedRoutes(`/p/${projectId}`, movedToOperator)}
        <Route>
          <OpenAsSupport projectId={projectId} me={me} />
        </Route>
      </Switch>
    )
  return (
    <Connected
      {...open}
      me={visit.may_change ? me : asVisitor(me)}
      banner={<SupportBanner projectId={projectId} me={me} visit={visit} />}
    />
  )
}

function Connected({ projectId, me, isConnected, banner }: OpenProps & { banner?: ReactNode }) {
  useEffect(() => {
    claimDrafts(me.user.id)
    forgetOwn(me.user.id)
  }, [me.user.id])
  return (
    // Another person starts with fresh fields.
    <ProjectProvider key={me.user.id} id={projectId} me={me} isConnected={isConnected}>
      <RailProvider>
        <TourProvider>
          <PhotosProvider>
            <Inside banner={banner} />
          </PhotosProvider>
        </TourProvider>
      </RailProvider>
    </ProjectProvider>
  )
}

function Inside({ banner }: { banner: ReactNode }) {
  const hasOrder = useHasOrder()
  return (
    <Frame
      banner={banner}
      rail={(content) => <Rail content={content} isSupport={banner !== undefined} />}
      skipLinks={<TourSkipLink />}
      aside={<TourPane />}
    >
      {hasOrder && <OrderReminder />}
      <Pages routes={routes} first="/home" moved={movedToOperator} />
    </Frame>
  )
}
