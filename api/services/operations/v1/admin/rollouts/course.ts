// The fields of the operations that plan a rollout: its stages, when it begins, and when it pauses by itself.
import { notFound } from '#api/failures.ts'
import type { Fail } from '#contract/failure.ts'
import { type FieldsOf, integer, list, optional, record, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { listAudienceProjects } from '#fleet/listing.ts'
import type { Course } from '#rollouts/starting.ts'

const stageInput = {
  projects: optional(
    list(integer(), {
      max: 1000,
      about: 'The ids of the projects of the stage; by default a share, or all that are left.',
    }),
  ),
  audience_id: optional(
    integer({ about: 'The audience whose projects the stage has, as they are now, instead of `projects`.' }),
  ),
  percent: optional(
    integer({
      min: 1,
      max: 100,
      about:
        'Until this share of the projects that it changes has received it, with the stages before; chosen by chance.',
    }),
  ),
  wait_minutes: optional(
    integer({
      min: 0,
      max: 525_600,
      about: 'How long to wait after the stage before the next begins; by default until someone starts it.',
    }),
  ),
}

const mostProjects = 10_000_000
export const mostStages = 20

export const courseInput = {
  stages: optional(
    list(record(stageInput), {
      max: mostStages,
      about: 'The stages in their order; by default all projects at once.',
    }),
  ),
  starts_at: optional(
    timestamp({ about: 'When the first stage begins after the plan was applied; by default at once.' }),
  ),
  stop_after_failures: optional(
    integer({
      min: 1,
      max: mostProjects,
      about: 'It is paused when it has failed in this many projects; by default never.',
    }),
  ),
  stop_after_undone: optional(
    integer({
      min: 1,
      max: mostProjects,
      about:
        'It is paused when members of this many projects have deleted a card that it added, or changed a field that it changed; by default never.',
    }),
  ),
}

const stageFailures = {
  ...notFound,
  empty: 'No project matches the audience of a stage now.',
  ambiguous: 'A stage has projects, an audience or a share, and only one of these.',
  not_growing: 'The share of a stage must be larger than the shares before it.',
  unreachable: 'A stage after one with all remaining projects would be empty.',
} as const

/** Declared by operations that plan a rollout. */
export const courseFailures = {
  stages: stageFailures,
  starts_at: { past: 'The start must be in the future.' },
} as const

type Planning = Fail<{ 422: typeof courseFailures }>

/** What is wrong with the stages as they were given. */
function faultIn(stages: NonNullable<FieldsOf<typeof courseInput>['stages']>) {
  let reached = 0
  for (const { projects, audience_id: audienceId, percent } of stages) {
    const given = [projects, audienceId, percent].filter((one) => one !== undefined && one !== null)
    if (given.length > 1) return 'ambiguous'
    if (reached === 100) return 'unreachable'
    if (percent && percent <= reached) return 'not_growing'
    if (!projects && !audienceId) reached = percent ?? 100
  }
  return undefined
}

/** Finds the projects of the stages' audiences, for a rollout of this template. */
export async function courseOf(
  queries: Queries,
  input: FieldsOf<typeof courseInput>,
  boardId: number,
  fail: Planning,
): Promise<Course> {
  const fault = faultIn(input.stages ?? [])
  if (fault) throw fail(422, { stages: fault })
  if (input.starts_at && Date.parse(input.starts_at) <= Date.now()) throw fail(422, { starts_at: 'past' })
  const stages: NonNullable<Course['stages']> = []
  for (const { audience_id: audienceId = null, ...stage } of input.stages ?? []) {
    const audience = audienceId === null ? null : await listAudienceProjects(queries, { audienceId, boardId })
    if (audience === 'no audience') throw fail(422, { stages: 'not_found' })
    if (audience?.projectIds.length === 0) throw fail(422, { stages: 'empty' })
    stages.push(audience ? { ...stage, projects: audience.projectIds, audience_name: audience.name } : stage)
  }
  return {
    stages: stages.length > 0 ? stages : null,
    startsAt: input.starts_at ?? null,
    stopAfterFailures: input.stop_after_failures ?? null,
    stopAfterUndone: input.stop_after_undone ?? null,
  }
}
