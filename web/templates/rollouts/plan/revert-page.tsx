import { type FormEvent, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { admin, type Output } from '../../../data/client.ts'
import { useLostConnection, useProject } from '../../../data/project.tsx'
import { together, useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { useWrite } from '../../../data/write.ts'
import { Button } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { rich } from '../../../words/rich.tsx'
import { counted, t } from '../../../words/words.ts'
import { CourseFields, courseInput, firstCourse } from './course.tsx'

/** Chooses how a rollout is taken back, and plans it. */
export default function RevertPage() {
  const { rollout: rolloutId } = useParams<{ rollout: string }>()
  const query = together(
    useRead(`${admin}/rollouts/get`, { id: Number(rolloutId), limit: 1 }),
    useRead(`${admin}/audiences/list`, undefined, { refetchOnMount: 'always' }),
  )
  return (
    <Page title={t('Plan revert')} width="form">
      <Reading query={query} failed={t('The rollout could not be opened')}>
        {([{ rollout }, { audiences }]) => <RevertForm rollout={rollout} audiences={audiences} />}
      </Reading>
    </Page>
  )
}

interface Props {
  rollout: Output<`${typeof admin}/rollouts/get`>['rollout']
  audiences: Output<`${typeof admin}/audiences/list`>['audiences']
}

function RevertForm({ rollout, audiences }: Props) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const lost = useLostConnection()
  const [course, setCourse] = useState(firstCourse)
  const planning = useWrite(`${admin}/rollouts/revert`, { failed: t('The revert was not planned') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    planning.mutate(
      { id: rollout.id, ...courseInput(course) },
      { onSuccess: ({ rollout: plan }) => navigate(`${base}/rollouts/${plan.id}`) },
    )
  }
  return (
    <form className="plan-form" onSubmit={submit}>
      <p className="plan-about">
        {rich('It takes back “{title}” in {projects}. Nothing changes until you apply the plan.', {
          title: <span dir="auto">{rollout.title}</span>,
          projects: counted(rollout.counts.changed, { one: '{count} project', other: '{count} projects' }),
        })}
      </p>
      <CourseFields course={course} audiences={audiences} onChange={setCourse} />
      <div className="plan-actions">
        <Button type="submit" look="primary" isBusy={planning.isPending} refusal={lost}>
          {t('Plan revert')}
        </Button>
      </div>
    </form>
  )
}
