import { Ban, RotateCw } from 'lucide-react'
import { admin } from '../../data/client.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { useRetry } from './start-rollout.ts'
import type { Rollout } from './types.ts'
import { isActive, isPlan, leftOver } from './words.ts'

/** Cancels a running rollout, or resumes or retries one with projects left. */
export function RolloutActions({ rollout }: { rollout: Rollout }) {
  const canceling = useWrite(`${admin}/rollouts/cancel`, { failed: t('The rollout was not canceled') })
  const retrying = useRetry()
  if (isActive(rollout))
    return (
      <Button
        icon={<Ban />}
        isBusy={canceling.isPending}
        onClick={() => canceling.mutate({ id: rollout.id })}
      >
        {rich('Cancel<hidden> rollout</hidden>', {
          hidden: (text) => <span className="visually-hidden">{text}</span>,
        })}
      </Button>
    )
  if (rollout.status === 'canceling')
    return (
      <Button icon={<Ban />} refusal={t('Changes in progress are rolled back first.')}>
        {t('Canceling…')}
      </Button>
    )
  const left = leftOver(rollout)
  if (left === 0 || isPlan(rollout)) return null
  return (
    <Button
      icon={<RotateCw />}
      isBusy={retrying.isPending}
      onClick={() => retrying.mutate({ id: rollout.id })}
    >
      {rollout.counts.pending > 0
        ? counted(left, { one: 'Resume {count} project', other: 'Resume {count} projects' })
        : counted(left, { one: 'Retry {count} project', other: 'Retry {count} projects' })}
    </Button>
  )
}
