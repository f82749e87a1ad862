// How a rollout or a revert proceeds: at once or in stages, when it starts, and when it pauses by itself.
import { Field, FieldSelect } from '../../../ui/field.tsx'
import { t } from '../../../words/words.ts'
import type { Candidates } from './picked-projects.tsx'
import { firstStages, type Stage, Stages, stageInput, stagesRefusal } from './stages.tsx'
import './page.css'

interface Course {
  isStaged: boolean
  stages: readonly Stage[]
  /** As the fields have them; empty for none. */
  startsAt: string
  mostFailures: string
  mostUndone: string
}

export const firstCourse: Course = {
  isStaged: false,
  stages: firstStages,
  startsAt: '',
  mostFailures: '',
  mostUndone: '',
}

export const courseInput = ({ isStaged, stages, startsAt, mostFailures, mostUndone }: Course) => ({
  stages: isStaged ? stages.map(stageInput) : null,
  starts_at: startsAt === '' ? null : new Date(startsAt).toISOString(),
  stop_after_failures: mostFailures === '' ? null : Number(mostFailures),
  stop_after_undone: mostUndone === '' ? null : Number(mostUndone),
})

/** Why it cannot be planned. */
export const courseRefusal = ({ isStaged, stages }: Course): string | undefined =>
  isStaged ? stagesRefusal(stages) : undefined

interface Props {
  course: Course
  audiences: readonly { id: number; name: string }[]
  candidates: Candidates
  onChange(course: Course): void
}

export function CourseFields({ course, audiences, candidates, onChange }: Props) {
  const change = (values: Partial<Course>) => onChange({ ...course, ...values })
  return (
    <>
      <FieldSelect
        label={t('Pace')}
        value={course.isStaged ? 'yes' : ''}
        onChange={(event) => change({ isStaged: event.target.value === 'yes' })}
      >
        <option value="">{t('All projects at once')}</option>
        <option value="yes">{t('In stages')}</option>
      </FieldSelect>
      {course.isStaged && (
        <Stages
          stages={course.stages}
          audiences={audiences}
          candidates={candidates}
          onChange={(stages) => change({ stages })}
        />
      )}
      <div className="plan-row">
        <Field
          label={t('Start (optional)')}
          type="datetime-local"
          value={course.startsAt}
          hint={t('By default when the plan is applied')}
          onChange={(event) => change({ startsAt: event.target.value })}
        />
        <Field
          label={t('Pause after failures (optional)')}
          type="number"
          min={1}
          value={course.mostFailures}
          hint={t('Pause after this many failed projects')}
          onChange={(event) => change({ mostFailures: event.target.value })}
        />
        <Field
          label={t('Pause when undone (optional)')}
          type="number"
          min={1}
          value={course.mostUndone}
          hint={t('Pause after this many projects delete or change what they received')}
          onChange={(event) => change({ mostUndone: event.target.value })}
        />
      </div>
    </>
  )
}
