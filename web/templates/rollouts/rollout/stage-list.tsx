import { Check, CirclePause, Clock, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { dateInText } from '../../../ui/time.tsx'
import { counted, t } from '../../../words/words.ts'
import type { Rollout } from '../types.ts'
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
        {stages.map((stage) => (
          <StageRow key={stage.number} stage={stage} isBegun={stage.number <= begun} status={status} />
        ))}
      </ol>
      {status === 'waiting' && (
        <p>
          {rollout.next_stage_at === null
            ? t('The next stage begins when you start it.')
            : t('The next stage begins {time}.', { time: dateInText(rollout.next_stage_at, true) })}
        </p>
      )}
      {status === 'paused' && (
        <p role="status">
          {rollout.pause_reason === 'failures'
            ? counted(rollout.counts.failed, {
                one: 'Paused by itself: it failed in {count} project.',
                other: 'Paused by itself: it failed in {count} projects.',
              })
            : rollout.pause_reason === 'undone'
              ? t('Paused by itself: too many projects undid it.')
              : rollout.pause_reason === 'template'
                ? t('Paused by itself: its template was deactivated or deleted.')
                : t('Paused by hand.')}
        </p>
      )}
    </section>
  )
}

interface RowProps {
  stage: Stage
  isBegun: boolean
  status: Rollout['status']
}

function StageRow({ stage, isBegun, status }: RowProps) {
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
      <span className="stage-name">
        {stage.audience_name !== null
          ? t('{stage}, {audience}', { stage: name, audience: stage.audience_name })
          : stage.percent === null
            ? name
            : t('{stage}, {percent} %', { stage: name, percent: stage.percent })}
      </span>
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
