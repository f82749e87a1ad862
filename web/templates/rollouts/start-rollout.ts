import { useMutation, useQueryClient } from '@tanstack/react-query'
import { admin, type Input } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { refreshSoon } from '../../data/refresh.ts'

type Starting =
  | `${typeof admin}/master-boards/sync`
  | `${typeof admin}/master-cards/push`
  | `${typeof admin}/master-cards/delete`

/**
 * Starts a rollout. Its call answers only when every project is done, and fails when it is canceled or the line is cut; how it
 * stands is told by its record, so a failure is only worth a message where no rollout has come of the call.
 */
export function useStartPush<P extends Starting>(path: P, failed: string) {
  const { client } = useProject()
  const refresh = useRefresh()
  const newest = async () => (await client.call(`${admin}/pushes/list`, { limit: 1 })).pushes[0]?.id ?? 0
  // No key of its own, because what is changed meanwhile has to be read again before this call has an answer.
  return useMutation<unknown, unknown, Input<P>, number>({
    mutationFn: (input) => client.call(path, input),
    onMutate: newest,
    async onError(problem, _input, before = Number.POSITIVE_INFINITY) {
      if ((await newest().catch(() => before)) <= before) showFailure(failed, problem)
    },
    onSettled: refresh,
  })
}

/** Resumes a rollout that left projects out, or failed in some; as above, its record tells how it stands. */
export function useRetry() {
  const { client } = useProject()
  const refresh = useRefresh()
  return useMutation<unknown, unknown, { id: number }>({
    mutationFn: ({ id }) => client.call(`${admin}/pushes/retry`, { id }),
    async onError(problem, { id }) {
      const { push } = await client.call(`${admin}/pushes/get`, { id, limit: 1 })
      if (push.status === 'done') showFailure('Nothing was retried', problem)
    },
    onSettled: refresh,
  })
}

function useRefresh() {
  const { id } = useProject()
  const cache = useQueryClient()
  return () => refreshSoon(cache, id, () => true)
}
