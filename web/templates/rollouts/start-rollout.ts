import { useMutation, useQueryClient } from '@tanstack/react-query'
import { admin, type Input, type Output } from '../../data/client.ts'
import { failureOf, isPassing, showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { refreshSoon } from '../../data/refresh.ts'
import { dismissTopic, showProblem } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { isActive, isUnderWay } from './words.ts'

type Starting = `${typeof admin}/master-boards/sync` | `${typeof admin}/master-cards/push`

/**
 * Starts a rollout. The call returns only when every project is done, and fails if it is canceled or the connection is lost. The
 * rollout's record has its status, so a failure is shown only if the call started no rollout.
 */
export function useStartRollout<P extends Starting>(path: P, failed: string) {
  const { client } = useProject()
  const refresh = useRefresh()
  const newest = async () => (await client.call(`${admin}/rollouts/list`, { limit: 1 })).rollouts[0]?.id ?? 0
  // Without a mutation key, because other changes have to be refetched before this call returns.
  return useMutation<unknown, unknown, Input<P>, number>({
    mutationFn: (input) => client.call(path, input),
    onMutate: newest,
    onSuccess: () => dismissTopic(path),
    async onError(problem, _input, before = Number.POSITIVE_INFINITY) {
      if ((await newest().catch(() => before)) <= before) showFailure(failed, problem, path)
    },
    onSettled: refresh,
  })
}

/** Refusals of a rollout that was resumed and did not come to its end. */
const isBegun: ReadonlySet<string> = new Set(['rollout_canceled', 'service_stopping'])

/** Resumes a rollout for the projects that it left out or that failed; as above, its record has the status. */
export function useRetry() {
  const { client } = useProject()
  const refresh = useRefresh()
  const topicOf = (id: number) => `retry of rollout ${id}`
  return useMutation<Output<`${typeof admin}/rollouts/retry`>, unknown, { id: number }>({
    mutationFn: ({ id }) => client.call(`${admin}/rollouts/retry`, { id }),
    // Its numbers may be the same as before, and then nothing else would show that it was tried.
    onSuccess({ rollout: { title, counts } }, { id }) {
      if (counts.failed === 0) return dismissTopic(topicOf(id))
      const text = counted(
        counts.failed,
        {
          one: '“{title}” still fails in {count} project',
          other: '“{title}” still fails in {count} projects',
        },
        { title },
      )
      showProblem(text, { topic: topicOf(id) })
    },
    async onError(problem, { id }) {
      const { code, status } = failureOf(problem)
      if (isBegun.has(code)) return
      const { rollout } = await client.call(`${admin}/rollouts/get`, { id, limit: 1 })
      // Without an answer it may have begun all the same.
      if (isPassing(status) && (isUnderWay(rollout) || isActive(rollout))) return
      const failed = rollout.status === 'done' ? t('Nothing was retried') : t('The rollout was not resumed')
      showFailure(failed, problem, topicOf(id))
    },
    onSettled: refresh,
  })
}

function useRefresh() {
  const { id } = useProject()
  const cache = useQueryClient()
  return () => refreshSoon(cache, id, () => true)
}
