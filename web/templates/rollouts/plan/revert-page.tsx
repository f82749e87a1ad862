import { useLocation, useParams } from 'wouter'
import { admin, type Output } from '../../../data/client.ts'
import { useProject } from '../../../data/project.tsx'
import { together, useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { useWrite } from '../../../data/write.ts'
import { Page } from '../../../ui/page.tsx'
import { rich } from '../../../words/rich.tsx'
import { counted, t } from '../../../words/words.ts'
import { revertible } from '../rollout-actions.tsx'
import { StillDeleted } from '../still-deleted.tsx'
import { CourseForm } from './course-form.tsx'

/** Chooses how a rollout is reverted, and plans it. */
export default function RevertPage() {
  const { rollout: rolloutId } = useParams<{ rollout: string }>()
  const query = together(
    useRead(`${admin}/rollouts/get`, { id: Number(rolloutId), limit: 1 }),
    useRead(`${admin}/audiences/list`, undefined, { refetchOnMount: 'always' }),
  )
  return (
    <Page title={t('Plan revert')} width="form">
      <Reading query={query} failed={t('The rollout could not be opened')}>
        {([{ rollout, taken_back: takenBack }, { audiences }]) => (
          <RevertForm rollout={rollout} count={revertible(rollout, takenBack)} audiences={audiences} />
        )}
      </Reading>
    </Page>
  )
}

interface Props {
  rollout: Output<`${typeof admin}/rollouts/get`>['rollout']
  /** Of the projects in which it can be reverted. */
  count: number
  audiences: Output<`${typeof admin}/audiences/list`>['audiences']
}

function RevertForm({ rollout, count, audiences }: Props) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const planning = useWrite(`${admin}/rollouts/revert`, {
    failed: t('The revert was not planned'),
    done: (_input, { rollout: plan }) => navigate(`${base}/rollouts/${plan.id}`),
  })
  return (
    <CourseForm
      about={
        <>
          {rich('It reverts “{title}” in {projects}. Nothing changes until you apply the plan.', {
            title: <span dir="auto">{rollout.title}</span>,
            projects: counted(count, { one: '{count} project', other: '{count} projects' }),
          })}{' '}
          <StillDeleted rollout={rollout} />
        </>
      }
      label={t('Plan revert')}
      audiences={audiences}
      candidates={{ rolloutId: rollout.id }}
      onSubmit={(course) => planning.mutateAsync({ id: rollout.id, ...course })}
    />
  )
}
