import { Ban, CirclePause, CirclePlay, RotateCw, StepForward, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { admin } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { showAs } from './show-as.ts'
import { useRetry } from './start-rollout.ts'
import type { Rollout, TakenBack } from './types.ts'
import { isActive, isPlan, leftOver, stageOnResume, waitsForStart } from './words.ts'

interface Props {
  rollout: Rollout
  /** Only on the rollout's own page, which has all actions. */
  download?: ReactNode
  takenBack?: TakenBack
}

/** What can be done with a rollout that has begun. */
export function RolloutActions({ rollout, download, takenBack = null }: Props) {
  const isWhole = download !== undefined
  const canceling = useWrite(`${admin}/rollouts/cancel`, {
    failed: t('The rollout was not canceled'),
    change: (cache, { id }) => showAs(cache, id, 'canceling'),
  })
  const retrying = useRetry()
  if (isActive(rollout))
    return (
      <>
        <Button
          icon={<Ban />}
          isBusy={canceling.isPending}
          onClick={() => canceling.mutate({ id: rollout.id })}
        >
          {rich('Cancel<hidden> rollout</hidden>', {
            hidden: (text) => <span className="visually-hidden">{text}</span>,
          })}
        </Button>
        {isWhole && (
          <>
            {download}
            <Course rollout={rollout} />
          </>
        )}
      </>
    )
  if (rollout.status === 'canceling')
    return (
      <Button icon={<Ban />} refusal={t('Changes in progress are rolled back first.')}>
        {t('Canceling…')}
      </Button>
    )
  if (isPlan(rollout)) return null
  const left = rollout.reverted_by_id === null ? leftOver(rollout) : 0
  return (
    <>
      {isWhole && (
        <>
          {download}
          {revertible(rollout, takenBack) > 0 && <PlanRevert rollout={rollout} />}
        </>
      )}
      {left > 0 && (
        <Button
          icon={<RotateCw />}
          isBusy={retrying.isPending}
          onClick={() => retrying.mutate({ id: rollout.id })}
        >
          {rollout.counts.pending > 0
            ? counted(left, { one: 'Resume {count} project', other: 'Resume {count} projects' })
            : counted(left, { one: 'Retry {count} project', other: 'Retry {count} projects' })}
        </Button>
      )}
    </>
  )
}

/** Pauses, resumes, or starts the next stage. */
function Course({ rollout }: { rollout: Rollout }) {
  const { id, status, stage } = rollout
  const refusal = useLostConnection()
  const pausing = useWrite(`${admin}/rollouts/pause`, { failed: t('The rollout was not paused') })
  const resuming = useWrite(`${admin}/rollouts/resume`, { failed: t('The rollout was not resumed') })
  const isFirst = waitsForStart(rollout)
  const due = stageOnResume(rollout)
  const starting = useWrite(`${admin}/rollouts/start-next-stage`, {
    failed: isFirst ? t('The rollout was not started') : t('The next stage was not started'),
  })
  if (status === 'paused')
    return (
      <Button
        look="primary"
        icon={<CirclePlay />}
        refusal={refusal}
        isBusy={resuming.isPending}
        onClick={() => resuming.mutate({ id })}
      >
        {due ? t('Resume and start stage {number}', { number: due.number }) : t('Resume')}
      </Button>
    )
  return (
    <>
      <Button
        icon={<CirclePause />}
        refusal={refusal}
        isBusy={pausing.isPending}
        onClick={() => pausing.mutate({ id })}
      >
        {t('Pause')}
      </Button>
      {status === 'waiting' && (
        <Button
          look="primary"
          icon={<StepForward />}
          refusal={refusal}
          isBusy={starting.isPending}
          onClick={() => starting.mutate({ id, stage })}
        >
          {isFirst ? t('Start now') : t('Start next stage')}
        </Button>
      )}
    </>
  )
}

/** In how many projects a revert would find something to change back. */
export const revertible = ({ kind, counts }: Rollout, takenBack: TakenBack): number =>
  kind === 'revert' || kind === 'reset' ? 0 : (takenBack?.left ?? counts.changed)

function PlanRevert({ rollout }: { rollout: Rollout }) {
  const { base } = useProject()
  return (
    <Link href={`${base}/rollouts/${rollout.id}/revert`} className="button button-secondary">
      <Undo2 aria-hidden="true" />
      <span className="button-label">{t('Plan revert')}</span>
    </Link>
  )
}
