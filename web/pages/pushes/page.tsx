import { Link } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import type { Push } from '../../data/types.ts'
import { PushBar, PushCounts } from '../../pushes/push-bar.tsx'
import { PushSign } from '../../pushes/push-strip.tsx'
import { kindNames, statusNames } from '../../pushes/words.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading, SkeletonRows } from '../../ui/states.tsx'
import '../../ui/table.css'
import { Ago } from '../../ui/time.tsx'
import './page.css'

export default function PushesPage() {
  const { base } = useProject()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(
    `${admin}/pushes/list`,
    {},
  )
  const pushes = data?.pages.flatMap((page) => page.pushes)
  const isRunning = pushes?.some(({ status }) => status === 'running')
  useAskAgain(`${admin}/pushes/list`, isRunning ? 500 : 5000)
  return (
    <Page title="Pushes">
      {error && !data && (
        <Failed what="The pushes could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Loading>
          <SkeletonRows />
        </Loading>
      )}
      {pushes?.length === 0 && (
        <Empty
          title="Nothing was pushed yet"
          action={<Link href={`${base}/templates`}>Go to the templates</Link>}
        >
          Every sync of a template, and every push of one of its cards, is kept here for a year.
        </Empty>
      )}
      {pushes && pushes.length > 0 && <PushTable pushes={pushes} />}
      {hasNextPage && (
        <Button look="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older
        </Button>
      )}
    </Page>
  )
}

function PushTable({ pushes }: { pushes: readonly Push[] }) {
  return (
    <table className="table pushes">
      <caption className="visually-hidden">Pushes, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Push</th>
          <th scope="col" className="pushes-result">
            Projects
          </th>
          <th scope="col" className="table-optional">
            Started
          </th>
        </tr>
      </thead>
      <tbody>
        {pushes.map((push) => (
          <PushRow key={push.id} push={push} />
        ))}
      </tbody>
    </table>
  )
}

function PushRow({ push }: { push: Push }) {
  const { base } = useProject()
  return (
    <tr>
      <th scope="row">
        <div className="pushes-what">
          <PushSign push={push} />
          <div>
            <Link href={`${base}/pushes/${push.id}`} className="pushes-link truncate" dir="auto">
              {push.title}
            </Link>
            <p className="pushes-kind">
              {kindNames[push.kind]} · {statusNames[push.status]}
            </p>
          </div>
        </div>
      </th>
      <td className="pushes-result">
        <PushBar push={push} />
        <PushCounts push={push} />
      </td>
      <td className="table-optional pushes-start">
        <p className="truncate" dir="auto">
          {push.created_by_name ?? 'Somebody'}
        </p>
        <p className="pushes-kind">
          <Ago at={push.created_at} />
        </p>
      </td>
    </tr>
  )
}
