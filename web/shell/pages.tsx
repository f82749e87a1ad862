// The pages of a project or of the operator's area; loaded when they are first opened.
import { useEffect } from 'react'
import { matchRoute, Redirect, Route, Switch, useLocation, useParams, useRouter } from 'wouter'
import { operatorBase, useProject } from '../data/project.tsx'
import type { PageRoute } from '../routes.ts'
import { ButtonLink } from '../ui/button.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Page as PageFrame } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { NoSuchPage } from './no-such-page.tsx'
import { OnlySuperadmins } from './only-superadmins.tsx'

const SecondFactorNeeded = loadable(() => import('../identity/second-factor-needed.tsx'))

/** Loads the page's code while the signed-in user is still being read. */
export function usePageLoading(prefix: string, routes: readonly PageRoute[]) {
  const { parser } = useRouter()
  const [location] = useLocation()
  useEffect(() => {
    routes.find(({ path }) => matchRoute(parser, `${prefix}${path}`, location)[0])?.page.preload()
  }, [parser, prefix, routes, location])
}

interface Props {
  routes: readonly PageRoute[]
  /** The page without a path of its own leads there, if it is no page itself. */
  first?: string
  /** Addresses of earlier versions, each with where its page is now. */
  moved?: Readonly<Record<string, string>>
}

/** Lead from earlier addresses of the operator's pages, which were inside of a project, to the present ones. */
export const movedRoutes = (base: string, moved: Readonly<Record<string, string>>) =>
  Object.entries(moved).map(([from, to]) => (
    <Route key={from} path={`${base}${from}/*?`}>
      {({ '*': rest }) => (
        <Redirect to={operatorBase + to + (rest ? `/${rest}` : '') + location.search} replace />
      )}
    </Route>
  ))

export function Pages({ routes, first, moved = {} }: Props) {
  const { base } = useProject()
  return (
    <Switch>
      {routes.map((route) => (
        <Route key={route.path} path={base + route.path}>
          <PageOf route={route} />
        </Route>
      ))}
      {first !== undefined && (
        <Route path={base}>
          <Redirect to={base + first} replace />
        </Route>
      )}
      {movedRoutes(base, moved)}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  )
}

function PageOf({ route: { page: Page, isFor } }: { route: PageRoute }) {
  const { me, isOperator } = useProject()
  const ids = useParams<Record<string, string | undefined>>()
  const named = ['board', 'template', 'rollout', 'receipt', 'project'].map((name) => ids[name])
  if (!named.every(isIdOrAbsent)) return <NotFound />
  if (isFor && !isFor(me)) return <NotForYou />
  return isOperator && me.user.second_factor_needed ? <TwoFactorFirst /> : <Page />
}

const isIdOrAbsent = (part: string | undefined) => part === undefined || /^\d{1,15}$/.test(part)

const NotFound = () => (
  <PageFrame title={t('Not found')}>
    <NoSuchPage to={<Elsewhere />} />
  </PageFrame>
)

const TwoFactorFirst = () => (
  <PageFrame title={t('Two-factor authentication')}>
    <SecondFactorNeeded to={location.pathname + location.search} />
  </PageFrame>
)

const NotForYou = () => (
  <PageFrame title={t('Not for your account')}>
    <OnlySuperadmins instead={<Elsewhere />} />
  </PageFrame>
)

/** A page that the person can open. */
function Elsewhere() {
  const { base, isOperator } = useProject()
  return isOperator ? (
    <ButtonLink href={`${base}/projects`}>{t('Go to projects')}</ButtonLink>
  ) : (
    <ButtonLink href={`${base}/boards`}>{t('Go to boards')}</ButtonLink>
  )
}
