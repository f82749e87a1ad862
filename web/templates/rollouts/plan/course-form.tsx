import { type FormEvent, type ReactNode, useState } from 'react'
import { useLostConnection } from '../../../data/project.tsx'
import { Button } from '../../../ui/button.tsx'
import { useSentOnce } from '../sent-once.ts'
import { CourseFields, courseInput, firstCourse } from './course.tsx'

interface Props {
  /** What is planned. */
  about: ReactNode
  /** The fields that choose what and for whom. */
  children?: ReactNode
  label: string
  /** Why it cannot be planned. */
  refusal?: string | undefined
  audiences: readonly { id: number; name: string }[]
  /** Opens the plan, or fails. */
  onSubmit(course: ReturnType<typeof courseInput>): Promise<unknown>
}

/** Chooses how a rollout proceeds, and plans it. */
export function CourseForm({ about, children, label, refusal, audiences, onSubmit }: Props) {
  const lost = useLostConnection()
  const [course, setCourse] = useState(firstCourse)
  const { isSent, send } = useSentOnce(onSubmit)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(courseInput(course))
  }
  return (
    <form className="plan-form" onSubmit={submit}>
      <p className="plan-about">{about}</p>
      {children}
      <CourseFields course={course} audiences={audiences} onChange={setCourse} />
      <div className="plan-actions">
        <Button type="submit" look="primary" isBusy={isSent} refusal={lost ?? refusal}>
          {label}
        </Button>
      </div>
    </form>
  )
}
