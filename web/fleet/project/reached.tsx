import { Link } from 'wouter'
import { admin, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Ago } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { countsOfResult } from '../received.ts'

/** The rollouts that changed the project; `none` is said if there are none. */
export function Reached({ projectId, none }: { projectId: number; none: string }) {
  const { base } = useProject()
  const query = usePages(
    `${admin}/projects/list-rollouts`,
    { id: projectId, limit: 10 },
    { refetchOnMount: 'always' },
  )
  const rollouts = query.data?.pages.flatMap((page) => page.rollouts)
  return (
    <>
      <Reading query={{ ...query, data: rollouts }} failed={t('The rollouts could not be loaded')}>
        {(read) =>
          read.length === 0 ? (
            <p className="fleet-none">{none}</p>
          ) : (
            <ul className="fleet-list numbers">
              {read.map((reached) => (
                <ReachedRow key={reached.id} reached={reached} base={base} />
              ))}
            </ul>
          )
        }
      </Reading>
      <ShowMore query={query} />
    </>
  )
}

type ReachedRollout = Output<`${typeof admin}/projects/list-rollouts`>['rollouts'][number]

function ReachedRow({ reached, base }: { reached: ReachedRollout; base: string }) {
  const { rollout_id, board_title, at } = reached
  return (
    <li>
      {rollout_id === null ? (
        <bdi>{board_title}</bdi>
      ) : (
        <Link href={`${base}/rollouts/${rollout_id}`} dir="auto">
          {board_title}
        </Link>
      )}
      <span>{kindOf(reached)}</span>
      <span>{countsOf(reached)}</span>
      <span>
        <Ago at={at} />
      </span>
    </li>
  )
}

function kindOf({ kind, card_title: title, version }: ReachedRollout): string {
  if (kind === 'removal') return title === null ? t('Card deletion') : t('Deletion of “{title}”', { title })
  if (kind === 'reset') return t('Reset')
  if (version === null) return kind === 'revert' ? t('Revert') : ''
  return kind === 'revert'
    ? t('Reverted version {version}', { version })
    : t('Version {version}', { version })
}

const countsOf = (reached: ReachedRollout): string =>
  countsOfResult({
    added: reached.added_count,
    updated: reached.updated_count,
    moved: reached.moved_count,
    removed: reached.removed_count,
    kept: reached.kept_count,
    used: reached.used_count,
    overtaken: reached.overtaken_count,
    skipped: reached.skipped_count,
  })
