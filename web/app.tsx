import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { Redirect, Route, Switch } from 'wouter'
import { clientOf, identity } from './data/client.ts'
import { queryClient } from './data/query-client.ts'
import { Shell } from './shell/shell.tsx'
import { Announcer } from './ui/announcer.tsx'
import { loadable } from './ui/loadable.tsx'
import { Empty, Failed } from './ui/states.tsx'
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
          <main>
            <title>Not found · Cardinal</title>
            <h1 className="visually-hidden">Cardinal</h1>
            <Empty title="There is no such page" action={<a href="/">Go to the boards</a>}>
              The address may be mistyped, or the page has moved.
            </Empty>
          </main>
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
  const { data, error, refetch } = useQuery({
    queryKey: [0, `${identity}/users/me`],
    queryFn: () => clientOf().call(`${identity}/users/me`),
  })
  if (error)
    return <Failed what="Cardinal could not be opened" error={error} onRetry={() => void refetch()} />
  if (!data) return null
  const projectId = data.current_project?.id ?? data.memberships[0]?.project_id
  if (projectId === undefined)
    return (
      <Empty title="You belong to no project yet">Ask an admin of a project to add {data.user.email}.</Empty>
    )
  return <Redirect to={`/p/${projectId}/boards`} replace />
}
