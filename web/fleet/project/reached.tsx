import { Link } from 'wouter'
import { admin } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Ago } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'

/** The rollouts that changed the project. */
export function Reached({ projectId }: { projectId: number }) {
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
            <p className="fleet-none">{t('None.')}</p>
          ) : (
            <ul className="fleet-list numbers">
              {read.map(({ id, rollout_id, board_title, version, added_count, updated_count, at }) => (
                <li key={id}>
                  {rollout_id === null ? (
                    <bdi>{board_title}</bdi>
                  ) : (
                    <Link href={`${base}/rollouts/${rollout_id}`} dir="auto">
                      {board_title}
                    </Link>
                  )}
                  {version !== null && <span>{t('Version {version}', { version })}</span>}
                  <span>
                    {t('{added} added, {updated} updated', { added: added_count, updated: updated_count })}
                  </span>
                  <span>
                    <Ago at={at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      <ShowMore query={query} />
    </>
  )
}
