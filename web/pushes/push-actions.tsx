import { Ban, RotateCw } from 'lucide-react'
import { admin } from '../data/client.ts'
import type { Push } from '../data/types.ts'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { useRetry } from './start-push.ts'
import { projects } from './words.ts'

/** Cancel while it runs; afterwards retry, where something is left. */
export function PushActions({ push }: { push: Push }) {
  const canceling = useWrite(`${admin}/pushes/cancel`, { failed: 'The push was not canceled' })
  const retrying = useRetry()
  const { failed, pending } = push.counts
  if (push.status === 'running')
    return (
      <Button icon={<Ban />} isBusy={canceling.isPending} onClick={() => canceling.mutate({ id: push.id })}>
        Cancel<span className="visually-hidden"> the push</span>
      </Button>
    )
  if (failed + pending === 0) return null
  return (
    <Button icon={<RotateCw />} isBusy={retrying.isPending} onClick={() => retrying.mutate({ id: push.id })}>
      {pending > 0 ? `Go on with ${projects(failed + pending)}` : `Retry ${projects(failed)}`}
    </Button>
  )
}
