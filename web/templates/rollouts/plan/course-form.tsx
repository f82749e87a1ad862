import { type ReactNode, useState } from 'react'
import { useLostConnection } from '../../../data/project.tsx'
import { Button } from '../../../ui/button.tsx'
import { Form } from '../../../ui/form.tsx'
import { useSentOnce } from '../sent-once.ts'
import { CourseFields, courseInput, courseRefusal, firstCourse } from './course.tsx'
import type { Candidates } from './picked-projects.tsx'

interface Props {
  /** What is planned. */
  about: ReactNode
  /** The fields that choose what and for whom. */
  children?: ReactNode
  label: string
  /** Why it cannot be planned. */
  refusal?: string | undefined
  audiences: readonly { id: number; name: string }[]
  /** The projects that a stage can name. */
  candidates: Candidates
  /** Opens the plan, or fails. */
  onSubmit(course: ReturnType<typeof courseInput>): Promise<unknown>
}

/** Chooses how a rollout proceeds, and plans it. */
export function CourseForm({ about, children, label, refusal, audiences, candidates, onSubmit }: Props) {
  const lost = useLostConnection()
  const [course, setCourse] = useState(firstCourse)
  const { isSent, send } = useSentOnce(onSubmit)
  const submit = () => {
    send(courseInput(course))
  }
  return (
    <Form className="plan-form" isBusy={isSent} onSubmit={submit}>
      <p className="plan-about">{about}</p>
      {children}
      <CourseFields course={course} audiences={audiences} candidates={candidates} onChange={setCourse} />
      <div className="plan-actions">
        <Button
          type="submit"
          look="primary"
          isBusy={isSent}
          refusal={lost ?? refusal ?? courseRefusal(course)}
        >
          {label}
        </Button>
      </div>
    </Form>
  )
}
