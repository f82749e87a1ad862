import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { matchRoute, Redirect, Route, Switch, useLocation, useParams, useRouter } from 'wouter'
import type { Language } from '#languages/known.ts'
import { OrderReminder } from '../billing/order-reminder.tsx'
import { clientOf, identity } from '../data/client.ts'
import { failureOf } from '../data/failure.ts'
import { forgetOwn } from '../data/own-storage.ts'
import type { Me } from '../data/project.tsx'
import { ProjectProvider, useProject } from '../data/project.tsx'
import { Failed } from '../data/reading.tsx'
import { claimDrafts } from '../drafts/drafts.ts'
import { useGuessedTimeZone } from '../identity/guess-time-zone.ts'
import { RecoveryCodesWarning } from '../identity/recovery-codes.tsx'
import { SignOut } from '../identity/sign-out.tsx'
import { WrongCodesWarning } from '../identity/wrong-codes.tsx'
import { PhotosProvider } from '../projects/photos.tsx'
import { type PageRoute, routes } from '../routes.ts'
import { TourPane, TourProvider, TourSkipLink } from '../tour/state.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Page as PageFrame } from '../ui/page.tsx'
import { RailProvider, useRail } from '../ui/rail-state.tsx'
import { Empty } from '../ui/states.tsx'
import { otherLanguage, speak } from '../words/choosing.ts'
import { t } from '../words/words.ts'
import { Alone } from './alone.tsx'
import { useLive } from './live.ts'
import { NoSuchPage } from './no-such-page.tsx'
import { Rail } from './rail.tsx'
import './shell.css'
import { ShellSkeleton } from './skeleton.tsx'

const Keys = loadable(() => import('./keys.tsx'))
const IfDeleted = loadable(() => import('../projects/if-deleted.tsx'))
const SecondFactorNeeded = loadable(() => import('../identity/second-factor-needed.tsx'))

export function Shell({ projectId }: { projectId: number }) {
  // Started before anything is read, so that little has to be refetched once it is connected.
  const isConnected = useLive(projectId)
  usePageLoading()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, `${identity}/users/me`],
    queryFn: () => clientOf(projectId).call(`${identity}/users/me`),
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
          <IfDeleted id={projectId} own={own}>
            <Empty title={t("This project can't be opened")} action={own}>
              {t("It doesn't exist, or you're not a member.")}
            </Empty>
          </IfDeleted>
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
  return <Connected projectId={projectId} me={data} isConnected={isConnected} />
}

/** Loads the app again if the person who has signed in speaks another language; later changes wait for the next page. */
function useLanguageOf(me: Me | undefined): boolean {
  const [first, setFirst] = useState(me)
  if (first?.user.id !== me?.user.id) setFirst(me)
  const [theirs, setTheirs] = useState<Language>()
  useLayoutEffect(() => setTheirs(otherLanguage(first?.user.language ?? null)), [first])
  useEffect(() => theirs && speak(theirs), [theirs])
  return theirs !== undefined
}

/** Loads the page's code while the signed-in user is still being read. */
function usePageLoading() {
  const { parser } = useRouter()
  const [location] = useLocation()
  useEffect(() => {
    routes.find(({ path }) => matchRoute(parser, `/p/:project${path}`, location)[0])?.page.preload()
  }, [parser, location])
}

function Connected({ projectId, me, isConnected }: { projectId: number; me: Me; isConnected: boolean }) {
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
            <Frame />
          </PhotosProvider>
        </TourProvider>
      </RailProvider>
    </ProjectProvider>
  )
}

function Frame() {
  useGuessedTimeZone()
  const { isConnected } = useProject()
  const { isDrawn } = useRail()
  const content = useRef<HTMLDivElement>(null)
  return (
    <div className="shell">
      <a className="skip-link" href="#content" inert={isDrawn}>
        {t('Skip to content')}
      </a>
      <TourSkipLink />
      {!isConnected && (
        <div className="offline" role="status">
          {t("You're offline. Editing resumes when you reconnect.")}
        </div>
      )}
      <Rail content={content} />
      <div ref={content} className="shell-content" id="content" tabIndex={-1} inert={isDrawn}>
        <WrongCodesWarning />
        <RecoveryCodesWarning />
        <OrderReminder />
        <Pages />
      </div>
      <TourPane />
      <Keys />
    </div>
  )
}

function Pages() {
  const { project } = useParams<{ project: string }>()
  const boards = `/p/${project}/boards`
  return (
    <Switch>
      {routes.map((route) => (
        <Route key={route.path} path={`/p/${project}${route.path}`}>
          <PageOf route={route} boards={boards} />
        </Route>
      ))}
      <Route path={`/p/${project}`}>
        <Redirect to={`/p/${project}/home`} replace />
      </Route>
      {/* The address of rollouts in earlier versions, which links may still have. */}
      <Route path={`/p/${project}/pushes/*?`}>
        {({ '*': rollout }) => (
          <Redirect to={`/p/${project}/rollouts${rollout ? `/${rollout}` : ''}`} replace />
        )}
      </Route>
      <Route>
        <NotFound boards={boards} />
      </Route>
    </Switch>
  )
}

function PageOf({ route: { page: Page, isFor }, boards }: { route: PageRoute; boards: string }) {
  const { me } = useProject()
  const { board, template, rollout, receipt } = useParams<Record<string, string | undefined>>()
  if (![board, template, rollout, receipt].every(isIdOrAbsent)) return <NotFound boards={boards} />
  if (isFor === undefined) return <Page />
  if (!isFor(me)) return <NotForYou boards={boards} />
  // All pages that are not for everyone are those of superadmins.
  return me.user.second_factor_needed ? <TwoFactorFirst /> : <Page />
}

const isIdOrAbsent = (part: string | undefined) => part === undefined || /^\d{1,15}$/.test(part)

const NotFound = ({ boards }: { boards: string }) => (
  <PageFrame title={t('Not found')}>
    <NoSuchPage boards={boards} />
  </PageFrame>
)

const TwoFactorFirst = () => (
  <PageFrame title={t('Two-factor authentication')}>
    <SecondFactorNeeded to={location.pathname + location.search} />
  </PageFrame>
)

const NotForYou = ({ boards }: { boards: string }) => (
  <PageFrame title={t('Not for your account')}>
    <Empty
      title={t('Only superadmins can open this page')}
      action={<ButtonLink href={boards}>{t('Go to boards')}</ButtonLink>}
    >
      {t('It covers all projects. Ask a superadmin for help.')}
    </Empty>
  </PageFrame>
)
