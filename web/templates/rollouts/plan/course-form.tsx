import { type FormEvent, type ReactNode, useState } from 'react'
import type { admin, Output } from '../../../data/client.ts'
import { useLostConnection } from '../../../data/project.tsx'
import { Button } from '../../../ui/button.tsx'
import { CourseFields, courseInput, firstCourse } from './course.tsx'

interface Props {
  /** What is planned. */
  about: ReactNode
  label: string
  audiences: Output<`${typeof admin}/audiences/list`>['audiences']
  isBusy: boolean
  onSubmit(course: ReturnType<typeof courseInput>): void
}

/** Chooses how something that is settled otherwise proceeds, and plans it. */
export function CourseForm({ about, label, audiences, isBusy, onSubmit }: Props) {
  const lost = useLostConnection()
  const [course, setCourse] = useState(firstCourse)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(courseInput(course))
  }
  return (
    <form className="plan-form" onSubmit={submit}>
      <p className="plan-about">{about}</p>
      <CourseFields course={course} audiences={audiences} onChange={setCourse} />
      <div className="plan-actions">
        <Button type="submit" look="primary" isBusy={isBusy} refusal={lost}>
          {label}
        </Button>
      </div>
    </form>
  )
}
