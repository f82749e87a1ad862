import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { operatorBase } from './data/project.tsx'
import { queryClient } from './data/query-client.ts'
import { Failed } from './data/reading.tsx'
import { useMe } from './identity/me.ts'
import { actsAsSuperadmin } from './identity/permissions.ts'
import { SignOut } from './identity/sign-out.tsx'
import { routes } from './routes.ts'
import { Alone } from './shell/alone.tsx'
import { NoSuchPage } from './shell/no-such-page.tsx'
import { Shell } from './shell/shell.tsx'
import { ShellSkeleton } from './shell/skeleton.tsx'
import { ButtonLink } from './ui/button.tsx'
import { loadable } from './ui/loadable.tsx'
import { Notifications } from './ui/notifications.tsx'
import { Empty } from './ui/states.tsx'
import { Tooltip } from './ui/tooltip.tsx'
import { t } from './words/words.ts'

const SignIn = loadable(() => import('./identity/sign-in/page.tsx'))
const OperatorShell = loadable(() => import('./shell/operator.tsx'), ShellSkeleton)
const Setup = loadable(() => import('./identity/setup/page.tsx'))
const DeletedProjects = loadable(() => import('./projects/deleted-projects.tsx'))
const AccountWithoutProject = loadable(() => import('./identity/account/without-project.tsx'))
const ConfirmEmail = loadable(() => import('./identity/confirm-email/page.tsx'))
const Invitation = loadable(() => import('./identity/invitation/page.tsx'))
const ForgotPassword = loadable(() => import('./identity/forgot-password/page.tsx'))
const SingleSignOn = loadable(() => import('./identity/single-sign-on/page.tsx'))
const SignUp = loadable(() => import('./identity/sign-up/page.tsx'))
const ResetPassword = loadable(() => import('./identity/reset-password/page.tsx'))
const TwoFactor = loadable(() => import('./identity/two-factor/page.tsx'))

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Switch>
        <Route path="/sign-in">
          <SignIn />
        </Route>
        <Route path="/setup">
          <Setup />
        </Route>
        <Route path="/confirm-email">
          <ConfirmEmail />
        </Route>
        <Route path="/invitation">
          <Invitation />
        </Route>
        <Route path="/forgot-password">
          <ForgotPassword />
        </Route>
        <Route path="/single-sign-on">
          <SingleSignOn />
        </Route>
        <Route path="/sign-up">
          <SignUp />
        </Route>
        <Route path="/reset-password">
          <ResetPassword />
        </Route>
        <Route path="/two-factor">
          <TwoFactor />
        </Route>
        <Route path="/p/:project/*?">
          {({ project }) => <Shell key={project} projectId={Number(project)} />}
        </Route>
        <Route path="/operator/*?">
          <OperatorShell />
        </Route>
        <Route path="/" component={Start} />
        <Route>
          <Alone title={t('Not found')}>
            <NoSuchPage to={<ButtonLink href="/">{t('Go to your project')}</ButtonLink>} />
          </Alone>
        </Route>
      </Switch>
      <Notifications />
      <Tooltip />
    </QueryClientProvider>
  )
}

/** Redirects superadmins to the operator's area, and others to the home page of their default project. */
function Start() {
  const { data, error, refetch } = useMe()
  // Its code is loaded while the person is still being read.
  useEffect(() => routes.find(({ path }) => path === '/home')?.page.preload(), [])
  if (error)
    return (
      <Alone title={t('Not opened')}>
        <Failed what={t('Cardinal could not be opened')} error={error} onRetry={() => void refetch()} />
      </Alone>
    )
  if (!data) return <ShellSkeleton />
  if (actsAsSuperadmin(data)) return <Redirect to={operatorBase} replace />
  const projectId = data.current_project?.id ?? data.memberships[0]?.project_id
  if (projectId !== undefined) return <Redirect to={`/p/${projectId}/home`} replace />
  if (data.user.second_factor_needed) return <Redirect to="/two-factor" replace />
  return (
    <Alone title={t('No project')}>
      <Empty title={t("You're not in a project yet")} action={<SignOut />}>
        {t('Ask a project admin to add {email}, then reload this page.', { email: data.user.email })}
      </Empty>
      <DeletedProjects />
      <AccountWithoutProject me={data} />
    </Alone>
  )
}
