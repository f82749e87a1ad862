import { Ban, RotateCw } from 'lucide-react'
import { admin } from '../data/client.ts'
import type { Push } from '../data/types.ts'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { useRetry } from './start-push.ts'
import { projects } from './words.ts'

/** Cancel while it runs; afterwards resume or retry, where something is left. */
export function PushActions({ push }: { push: Push }) {
  const canceling = useWrite(`${admin}/pushes/cancel`, { failed: 'The rollout was not canceled' })
  const retrying = useRetry()
  const { failed, pending } = push.counts
  if (push.status === 'running')
    return (
      <Button icon={<Ban />} isBusy={canceling.isPending} onClick={() => canceling.mutate({ id: push.id })}>
        Cancel<span className="visually-hidden"> rollout</span>
      </Button>
    )
  if (push.status === 'canceling')
    return (
      <Button icon={<Ban />} refusal="The projects that are being changed at the moment are set back first.">
        Canceling…
      </Button>
    )
  if (failed + pending === 0) return null
  return (
    <Button icon={<RotateCw />} isBusy={retrying.isPending} onClick={() => retrying.mutate({ id: push.id })}>
      {pending > 0 ? `Resume ${projects(failed + pending)}` : `Retry ${projects(failed)}`}
    </Button>
  )
}
