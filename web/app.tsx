import { QueryClientProvider } from '@tanstack/react-query'
import { Redirect, Route, Switch } from 'wouter'
import { useMe } from './data/me.ts'
import { queryClient } from './data/query-client.ts'
import { useSignOut } from './data/sign-out.ts'
import { Shell } from './shell/shell.tsx'
import { ShellSkeleton } from './shell/skeleton.tsx'
import { Alone } from './ui/alone.tsx'
import { Announcer } from './ui/announcer.tsx'
import { Button } from './ui/button.tsx'
import { loadable } from './ui/loadable.tsx'
import { Empty, Failed, NoSuchPage } from './ui/states.tsx'
import { Toasts } from './ui/toast.tsx'
import { Tooltip } from './ui/tooltip.tsx'

const SignIn = loadable(() => import('./pages/sign-in/page.tsx'))

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <Switch>
        <Route path="/sign-in">
          <SignIn />
        </Route>
        <Route path="/p/:project/*?">
          {({ project }) => <Shell key={project} projectId={Number(project)} />}
        </Route>
        <Route path="/" component={Start} />
        <Route>
          <Alone title="Not found">
            <NoSuchPage boards="/" />
          </Alone>
        </Route>
      </Switch>
      <Toasts />
      <Announcer />
      <Tooltip />
    </QueryClientProvider>
  )
}

/** Leads to the boards of the person's default project. */
function Start() {
  const { data, error, refetch } = useMe()
  if (error)
    return (
      <Alone title="Not opened">
        <Failed what="Cardinal could not be opened" error={error} onRetry={() => void refetch()} />
      </Alone>
    )
  if (!data) return <ShellSkeleton />
  const projectId = data.current_project?.id ?? data.memberships[0]?.project_id
  if (projectId === undefined) return <NoProject email={data.user.email} />
  return <Redirect to={`/p/${projectId}/boards`} replace />
}

function NoProject({ email }: { email: string }) {
  const signOut = useSignOut()
  return (
    <Alone title="No project">
      <Empty
        title="You belong to no project yet"
        action={<Button onClick={() => void signOut()}>Sign out</Button>}
      >
        Ask an admin of a project to add {email}, then open this page again.
      </Empty>
    </Alone>
  )
}
