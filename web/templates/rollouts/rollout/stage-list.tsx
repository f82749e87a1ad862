import { Check, CirclePause, Clock, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { counted, t } from '../../../words/words.ts'
import type { Rollout } from '../types.ts'
import { isPlan } from '../words.ts'
import './stage-list.css'

type Stage = Rollout['stages'][number]

/** The stages of a rollout with the progress of each. */
export function StageList({ rollout }: { rollout: Rollout }) {
  const { stages, stage: begun, status } = rollout
  if (stages.length === 0) return null
  return (
    <section className="stages" aria-label={t('Stages')}>
      <h2>{t('Stages')}</h2>
      <ol>
        {isPlan(rollout) ? (
          <PlannedStages stages={stages} />
        ) : (
          stages.map((stage) => (
            <StageRow
              key={stage.number}
              stage={stage}
              isLast={stage.number === stages.length}
              isBegun={stage.number <= begun}
              status={status}
            />
          ))
        )}
      </ol>
      <InNoStage rollout={rollout} />
    </section>
  )
}

/** Why the stages have fewer projects than the rollout. */
function InNoStage({ rollout: { stages, counts } }: { rollout: Rollout }) {
  const others = counts.projects - counts.no_access - stages.reduce((sum, { projects }) => sum + projects, 0)
  if (others <= 0) return null
  return (
    <p className="stages-others numbers">
      {counted(others, {
        one: '{count} project is in no stage, because nothing changes there.',
        other: '{count} projects are in no stage, because nothing changes there.',
      })}
    </p>
  )
}

/** The stages of a plan: how many projects each changes, and what the next one waits for. */
const PlannedStages = ({ stages }: { stages: readonly Stage[] }) =>
  stages.map((stage, index) => (
    <li key={stage.number}>
      <span className="stage-icon" aria-hidden="true">
        <Clock />
      </span>
      <span className="stage-name">{nameOf(stage, index === stages.length - 1)}</span>
      <span className="numbers">{changesInWords(stage)}</span>
      {index < stages.length - 1 && <span className="stage-wait">{waitInWords(stage.wait_minutes)}</span>}
    </li>
  ))

/** A stage also visits projects that the plan does not change, and its progress counts them. */
const changesInWords = ({ projects, changed }: Stage): string =>
  changed === null || changed === projects
    ? counted(projects, { one: 'changes {count} project', other: 'changes {count} projects' })
    : counted(
        projects,
        {
          one: 'changes {changed} of {count} project',
          other: 'changes {changed} of {count} projects',
        },
        { changed },
      )

function waitInWords(minutes: number | null): string {
  if (minutes === null) return t('then waits until you start the next one')
  if (minutes >= 1440 && minutes % 1440 === 0)
    return counted(minutes / 1440, { one: 'then waits {count} day', other: 'then waits {count} days' })
  if (minutes >= 60 && minutes % 60 === 0)
    return counted(minutes / 60, { one: 'then waits {count} hour', other: 'then waits {count} hours' })
  return counted(minutes, { one: 'then waits {count} minute', other: 'then waits {count} minutes' })
}

/** Only the last stage can have all that are left. */
function nameOf({ number, audience_name: audience, percent }: Stage, isLast: boolean): string {
  const name = t('Stage {number}', { number })
  if (audience !== null) return t('{stage}, {audience}', { stage: name, audience })
  if (percent !== null) return t('{stage}, {percent}%', { stage: name, percent })
  return isLast ? name : t('{stage}, picked projects', { stage: name })
}

interface RowProps {
  stage: Stage
  isLast: boolean
  isBegun: boolean
  status: Rollout['status']
}

function StageRow({ stage, isLast, isBegun, status }: RowProps) {
  const { number, projects, pending } = stage
  const isDone = isBegun && pending === 0
  const icon: ReactNode = isDone ? (
    <Check />
  ) : !isBegun ? (
    <Clock />
  ) : status === 'paused' ? (
    <CirclePause />
  ) : (
    <LoaderCircle />
  )
  const words = counted(
    projects,
    { one: '{done} of {count} project', other: '{done} of {count} projects' },
    { done: projects - pending },
  )
  const name = t('Stage {number}', { number })
  return (
    <li data-done={isDone}>
      <span className="stage-icon" aria-hidden="true">
        {icon}
      </span>
      <span className="stage-name">{nameOf(stage, isLast)}</span>
      <progress
        max={Math.max(projects, 1)}
        value={projects === 0 ? 1 : projects - pending}
        aria-label={`${name}: ${words}`}
      />
      <span className="numbers">{words}</span>
      {stage.failed > 0 && (
        <span className="stage-failed numbers">{counted(stage.failed, { other: '{count} failed' })}</span>
      )}
    </li>
  )
}
