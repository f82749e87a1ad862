import { Ban, RotateCw } from 'lucide-react'
import { admin } from '../../data/client.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { useRetry } from './start-rollout.ts'
import type { Rollout } from './types.ts'
import { leftOver, projects } from './words.ts'

/** Cancels a running rollout, or resumes or retries one with projects left. */
export function RolloutActions({ rollout }: { rollout: Rollout }) {
  const canceling = useWrite(`${admin}/pushes/cancel`, { failed: 'The rollout was not canceled' })
  const retrying = useRetry()
  if (rollout.status === 'running')
    return (
      <Button
        icon={<Ban />}
        isBusy={canceling.isPending}
        onClick={() => canceling.mutate({ id: rollout.id })}
      >
        Cancel<span className="visually-hidden"> rollout</span>
      </Button>
    )
  if (rollout.status === 'canceling')
    return (
      <Button icon={<Ban />} refusal="Changes in progress are rolled back first.">
        Canceling…
      </Button>
    )
  const left = leftOver(rollout)
  if (left === 0) return null
  return (
    <Button
      icon={<RotateCw />}
      isBusy={retrying.isPending}
      onClick={() => retrying.mutate({ id: rollout.id })}
    >
      {`${rollout.counts.pending > 0 ? 'Resume' : 'Retry'} ${projects(left)}`}
    </Button>
  )
}
