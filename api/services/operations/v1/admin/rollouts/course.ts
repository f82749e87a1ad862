// The fields of the operations that plan a rollout: its stages, when it begins, and when it pauses by itself.
import type { Fail } from '#contract/failure.ts'
import { type FieldsOf, integer, list, optional, record, timestamp } from '#contract/schema.ts'

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
  not_found: 'A stage names a project or an audience that the rollout cannot reach.',
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

type CourseFields = FieldsOf<typeof courseInput>

/** What is wrong with the stages as they were given. */
function faultIn(stages: NonNullable<CourseFields['stages']>) {
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

export function checkStages({ stages }: CourseFields, fail: Fail<{ 422: typeof courseFailures }>): void {
  const fault = faultIn(stages ?? [])
  if (fault) throw fail(422, { stages: fault })
}

export const wantedCourse = (input: CourseFields) => ({
  stages: input.stages ?? [],
  startsAt: input.starts_at ?? null,
  stopAfterFailures: input.stop_after_failures ?? null,
  stopAfterUndone: input.stop_after_undone ?? null,
})

/** What is wrong with a course as `fleet/planning-rollouts.ts` says it, by field. */
export const courseProblems = {
  'past start': { starts_at: 'past' },
  'no audience of a stage': { stages: 'not_found' },
  'empty audience of a stage': { stages: 'empty' },
  'no projects of a stage': { stages: 'not_found' },
} as const

export const isCourseProblem = (outcome: unknown): outcome is keyof typeof courseProblems =>
  typeof outcome === 'string' && outcome in courseProblems
