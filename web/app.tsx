import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { clientOf, identity } from './data/client.ts'
import { queryClient } from './data/query-client.ts'
import { Failed } from './data/reading.tsx'
import { useMe } from './identity/me.ts'
import { isSuperadmin } from './identity/permissions.ts'
import { SignOut } from './identity/sign-out.tsx'
import { routes } from './routes.ts'
import { Alone } from './shell/alone.tsx'
import { NoSuchPage } from './shell/no-such-page.tsx'
import { Shell } from './shell/shell.tsx'
import { ShellSkeleton } from './shell/skeleton.tsx'
import { loadable } from './ui/loadable.tsx'
import { Notifications } from './ui/notifications.tsx'
import { Empty } from './ui/states.tsx'
import { Tooltip } from './ui/tooltip.tsx'
import { t } from './words/words.ts'

const SignIn = loadable(() => import('./identity/sign-in/page.tsx'))
const Setup = loadable(() => import('./identity/setup/page.tsx'))
const DeletedProjects = loadable(() => import('./projects/deleted-projects.tsx'))
const FirstProject = loadable(() => import('./projects/first-project.tsx'))
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
        <Route path="/" component={Start} />
        <Route>
          <Alone title={t('Not found')}>
            <NoSuchPage boards="/" />
          </Alone>
        </Route>
      </Switch>
      <Notifications />
      <Tooltip />
    </QueryClientProvider>
  )
}

/** Redirects to the home page of the person's default project. */
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
  const projectId = data.current_project?.id ?? data.memberships[0]?.project_id
  if (projectId !== undefined) return <ToHome of={projectId} />
  if (data.user.second_factor_needed) return <Redirect to="/two-factor" replace />
  if (isSuperadmin(data)) return <AnyProject />
  return (
    <NoProject
      title={t("You're not in a project yet")}
      below={
        <>
          <DeletedProjects />
          <AccountWithoutProject me={data} />
        </>
      }
    >
      {t('Ask a project admin to add {email}, then reload this page.', { email: data.user.email })}
    </NoProject>
  )
}

const ToHome = ({ of }: { of: number }) => <Redirect to={`/p/${of}/home`} replace />

/** Superadmins can open every project, so one without a membership starts in the first. */
function AnyProject() {
  const path = `${identity}/projects/list` as const
  const query = useQuery({ queryKey: [0, path], queryFn: () => clientOf().call(path, { limit: 1 }) })
  if (query.error)
    return (
      <Alone title={t('Not opened')}>
        <Failed
          what={t('The projects could not be loaded')}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      </Alone>
    )
  if (!query.data) return <ShellSkeleton />
  const [first] = query.data.projects
  if (first) return <ToHome of={first.id} />
  return (
    <NoProject title={t('No projects yet')} form={<FirstProject />}>
      {t('Create the first one to start working.')}
    </NoProject>
  )
}

interface NoProjectProps {
  title: string
  children: ReactNode
  form?: ReactNode
  below?: ReactNode
}

function NoProject({ title, children, form, below }: NoProjectProps) {
  const action = (
    <>
      {form}
      <SignOut />
    </>
  )
  return (
    <Alone title={t('No project')}>
      <Empty title={title} action={action}>
        {children}
      </Empty>
      {below}
    </Alone>
  )
}
