import { audited } from '#api/audited.ts'
import { noMasterBoard, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { type FieldsOf, integer, optional, record } from '#contract/schema.ts'
import { isFiltering } from '#fleet/filter.ts'
import { planRollout } from '#fleet/planning-rollouts.ts'
import { type Rollout, readRollout, rollout } from '#rollouts/rollout.ts'
import { auditStarted } from './audit-rollout.ts'
import { checkStages, courseFailures, courseProblems, isCourseProblem, wantedCourse } from './course.ts'
import { requestInput } from './request.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/plan',
  summary: 'Plan a rollout: what each project would receive, before anything changes',
  about:
    'The version and the projects are pinned. The status is `planning` until every project has been looked at, then `planned`; the plan can be applied for 24 hours. With `card_id` only that card is rolled out, or deleted from the projects if the version does not have it any more; with `delete_from_projects` it is deleted from the template too, when the rollout begins. A stage has the projects that it names, a share of all, or all that are left; what is in no stage is left out.',
  audience: 'superadmin',
  on: { template: 'board_id' },
  input: {
    board_id: integer({ about: 'The id of the template.' }),
    version: optional(integer({ about: 'The number of the version; by default the newest.' })),
    card_id: optional(integer({ about: 'The id of the template card, to roll out this card only.' })),
    ...requestInput,
  },
  success: 201,
  message: 'The rollout is being planned.',
  output: record({ rollout }),
  failures: {
    400: {
      master_board_inactive: 'This template is inactive; activate it to roll it out.',
      master_card_inactive: 'This card is inactive in this version; it is not rolled out.',
      template_not_published: 'This template has no version yet; publish it first.',
    },
    404: noMasterBoard,
    422: {
      version: {
        ...notFound,
        reset: 'A reset gives each project what it last received; leave out the :attribute.',
        deletion: 'A deletion goes out with a version of its own; leave out the :attribute.',
      },
      card_id: { ...notFound, required: 'The :attribute field is required.' },
      project_ids: notFound,
      audience_id: { ...notFound, empty: 'No project matches this audience now.' },
      filters: {
        empty: 'No project matches this filter now.',
        missing: 'Give at least one filter, or leave them out for all projects.',
        unlimited: 'A filter without conditions reaches all projects; leave out the others.',
      },
      reset_fields: {
        missing: 'Give at least one field, or leave them out to roll out the card.',
        deletion: 'A card is either reset or deleted, not both.',
      },
      ...courseFailures,
    },
  },
  writes: true,
  check({ input, fail }) {
    const problem = problemIn(input)
    if (problem) throw fail(422, problem)
    checkStages(input, fail)
  },
  begin: (call) =>
    audited(call, async ({ input, caller, db, fail, audit }) => {
      const { board_id: boardId, version = null, card_id: cardId = null, ...request } = input
      const { project_ids: projectIds = null, audience_id: audienceId = null, filters = null } = request
      const started = await planRollout(db, {
        ...{ boardId, version, cardId, request, actorId: caller.id },
        whom: { projectIds, audienceId, filters },
        resetFields: input.reset_fields ?? null,
        deletesCard: input.delete_from_projects === true,
        course: wantedCourse(input),
      })
      if (isCourseProblem(started)) throw fail(422, courseProblems[started])
      if (started === 'no audience') throw fail(422, { audience_id: 'not_found' })
      if (started === 'empty audience') throw fail(422, { audience_id: 'empty' })
      if (started === 'no match') throw fail(422, { filters: 'empty' })
      if (started === 'no board') throw fail(404, 'master_board_not_found')
      if (started === 'inactive') throw fail(400, 'master_board_inactive')
      if (started === 'inactive card') throw fail(400, 'master_card_inactive')
      if (started === 'no version' && version === null) throw fail(400, 'template_not_published')
      if (started === 'no version') throw fail(422, { version: 'not_found' })
      if (started === 'no card') throw fail(422, { card_id: 'not_found' })
      if (started === 'no projects') throw fail(422, { project_ids: 'not_found' })
      await auditStarted({ audit }, 'rollout.planned', started)
      return { rolloutId: started.rolloutId }
    }),
  async handle({ begun: { rolloutId }, db, rollouts }) {
    rollouts.begin(rolloutId)
    return { rollout: (await readRollout(db, rolloutId)) as Rollout }
  },
})

/** What the fields contradict. */
function problemIn(
  input: FieldsOf<typeof requestInput> & { version?: number | null; card_id?: number | null },
) {
  const { filters, reset_fields: resetFields, project_ids: picked, audience_id: audienceId } = input
  const deletesCard = input.delete_from_projects === true
  const hasVersion = input.version != null
  if (filters?.length === 0) return { filters: 'missing' } as const
  if (resetFields?.length === 0) return { reset_fields: 'missing' } as const
  if (resetFields && hasVersion) return { version: 'reset' } as const
  if (deletesCard && hasVersion) return { version: 'deletion' } as const
  if (deletesCard && resetFields) return { reset_fields: 'deletion' } as const
  if ((resetFields || deletesCard) && input.card_id == null) return { card_id: 'required' } as const
  const isLimitedTwice = picked != null || audienceId != null || (filters?.length ?? 0) > 1
  if (isLimitedTwice && filters?.some((filter) => !isFiltering(filter)))
    return { filters: 'unlimited' } as const
  return undefined
}
