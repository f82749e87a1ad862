import { Link } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { PushBar, PushCounts } from './rollout-bar.tsx'
import { PushSign } from './rollout-strip.tsx'
import type { Push } from './types.ts'
import { isUnderWay, kindNames, statusNames } from './words.ts'
import '../../ui/table.css'
import { Ago } from '../../ui/time.tsx'
import './page.css'

export default function PushesPage() {
  const { base } = useProject()
  const query = usePages(`${admin}/pushes/list`, {})
  const pushes = query.data?.pages.flatMap((page) => page.pushes)
  useAskAgain(`${admin}/pushes/list`, pushes?.some(isUnderWay) ? 500 : 5000)
  return (
    <Page title="Rollouts">
      <Reading query={{ ...query, data: pushes }} failed="The rollouts could not be loaded">
        {(read) =>
          read.length === 0 ? (
            <Empty
              title="No rollouts yet"
              action={<ButtonLink href={`${base}/templates`}>Go to templates</ButtonLink>}
            >
              Each time you roll out a template or one of its cards, the results are kept here for a year.
            </Empty>
          ) : (
            <PushTable pushes={read} />
          )
        }
      </Reading>
      <ShowMore query={query} label="Show older" />
    </Page>
  )
}

function PushTable({ pushes }: { pushes: readonly Push[] }) {
  return (
    <table className="table pushes">
      <caption className="visually-hidden">Rollouts, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Rollout</th>
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
          {push.created_by_name ?? 'Someone'}
        </p>
        <p className="pushes-kind">
          <Ago at={push.created_at} />
        </p>
      </td>
    </tr>
  )
}
