import { Link } from 'wouter'
import type { admin, Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { Ago } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'

export type FailedRollout = Output<`${typeof admin}/projects/get`>['failed_rollouts'][number]

/** The templates whose last rollout failed in the project, each with the reason and a link to the rollout, where it is tried again. */
export function Failed({ rollouts }: { rollouts: readonly FailedRollout[] }) {
  const { base } = useProject()
  return (
    <ul className="fleet-list numbers">
      {rollouts.map(({ board_id, board_title, rollout_id, version, at, error }) => (
        <li key={board_id}>
          <Link
            href={rollout_id === null ? `${base}/templates/${board_id}` : `${base}/rollouts/${rollout_id}`}
            dir="auto"
          >
            {board_title}
          </Link>
          <span className="fleet-failed">
            {version === null ? t('Failed') : t('Version {version} failed', { version })}
          </span>
          {at !== null && <Ago at={at} />}
          {error !== null && <p className="fleet-reason">{error}</p>}
        </li>
      ))}
    </ul>
  )
}
