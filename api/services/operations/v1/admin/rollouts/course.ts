// The fields of the operations that plan a rollout: its stages, when it begins, and when it pauses by itself.
import { type FieldsOf, integer, list, optional, record, timestamp } from '#contract/schema.ts'
import type { Course } from '#rollouts/starting.ts'

const stageInput = {
  projects: optional(
    list(integer(), {
      max: 1000,
      about: 'The ids of the projects of the stage; by default a share of all, or all that are left.',
    }),
  ),
  percent: optional(
    integer({ min: 1, max: 100, about: 'Until this share of all projects has it; chosen by chance.' }),
  ),
  wait_minutes: optional(
    integer({
      min: 0,
      max: 525_600,
      about: 'How long to wait after the stage before the next begins; by default until someone starts it.',
    }),
  ),
}

export const courseInput = {
  stages: optional(
    list(record(stageInput), {
      max: 20,
      about: 'The stages in their order; by default all projects at once.',
    }),
  ),
  starts_at: optional(
    timestamp({ about: 'When the first stage begins after the plan was applied; by default at once.' }),
  ),
  stop_after_failures: optional(
    integer({ min: 1, about: 'It is paused when it has failed in this many projects; by default never.' }),
  ),
  stop_after_undone: optional(
    integer({
      min: 1,
      about:
        'It is paused when members of this many projects have deleted a card that it added, or changed a field that it changed; by default never.',
    }),
  ),
}

export const courseOf = (input: FieldsOf<typeof courseInput>): Course => ({
  stages: input.stages?.length ? input.stages : null,
  startsAt: input.starts_at ?? null,
  stopAfterFailures: input.stop_after_failures ?? null,
  stopAfterUndone: input.stop_after_undone ?? null,
})
