import { admin, type Input } from '../../../data/client.ts'
import { showFailure } from '../../../data/failure.ts'
import { useProject } from '../../../data/project.tsx'
import { addressOf, filterIn, mostHandPicked } from '../../../fleet/audiences/filter.ts'
import { showProblem } from '../../../ui/toast.tsx'
import { t } from '../../../words/words.ts'
import type { Stage } from './stages.tsx'

type StageInput = NonNullable<Input<`${typeof admin}/rollouts/plan`>['stages']>

/** Names the projects of audiences, as they are now. A failure is shown. */
export function useStageInput() {
  const { client } = useProject()
  async function projectsOf(audienceId: number): Promise<number[]> {
    const { audience } = await client.call(`${admin}/audiences/get`, { id: audienceId })
    const address = addressOf(audience)
    const filter = filterIn((parameter) => address.get(parameter) ?? '')
    const ids: number[] = []
    for (let cursor: string | null = null; ids.length <= mostHandPicked; ) {
      const page: { projects: { id: number }[]; next_cursor: string | null } = await client.call(
        `${admin}/projects/list`,
        { ...filter, limit: 200, cursor },
      )
      ids.push(...page.projects.map(({ id }) => id))
      cursor = page.next_cursor
      if (cursor === null) break
    }
    return ids
  }
  return async (stages: readonly Stage[]): Promise<StageInput | 'failed'> => {
    const topic = 'stages of a plan'
    const named: StageInput = []
    for (const { who, wait } of stages) {
      const wait_minutes = wait === '' ? null : Number(wait)
      if (!who.startsWith('a')) {
        named.push({ percent: who === 'rest' ? null : Number(who), wait_minutes })
        continue
      }
      try {
        const projects = await projectsOf(Number(who.slice(1)))
        if (projects.length === 0 || projects.length > mostHandPicked) {
          showProblem(t('The audience of a stage needs 1 to 1,000 projects'), { topic })
          return 'failed'
        }
        named.push({ projects, wait_minutes })
      } catch (error) {
        showFailure(t('The rollout was not planned'), error, topic)
        return 'failed'
      }
    }
    return named
  }
}
