import { audited } from '#api/audited.ts'
import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, longestField, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { createAndRollOutCard } from '#rollouts/starting.ts'
import { createTemplateCard } from '#templates/card/creating.ts'
import { checkDescription, cleaned, title } from '../../operations/fields.ts'
import { auditStarted } from '../rollouts/audit-rollout.ts'
import { endedEarly, finished } from '../rollouts/rollout.ts'
import { badTexts, masterCardInput } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/create',
  summary: 'Create a card at the end of a template group, and with push_to_projects roll it out',
  audience: 'superadmin',
  on: { 'template group': 'group_id' },
  input: {
    group_id: integer({ about: 'The id of the template group.' }),
    title,
    ...masterCardInput,
    push_to_projects: optional(flag()),
  },
  success: 201,
  message: 'The template card was created.',
  output: record({ card, projects_updated: integer() }),
  failures: { 400: endedEarly, 422: { ...badTexts, group_id: { ...notFound, ...limitReached } } },
  v1Text: { projects_updated: 'whole' },
  writes: true,
  check: checkDescription,
  begin: (call) =>
    audited(call, async ({ input, caller, db, quotas, readDescription, fail, audit }) => {
      const wanted = await cleaned(input, { readDescription, fail })
      const by = { groupId: wanted.group_id, actorId: caller.id }
      const creating = wanted.push_to_projects
        ? createAndRollOutCard(db, quotas, by, wanted)
        : createTemplateCard(db, quotas, by, wanted)
      const created = await creating.catch(
        onLimit((limit, quota) =>
          fail(422, { [quota.startsWith('bytes') ? longestField(wanted) : 'group_id']: limit }),
        ),
      )
      if (created === 'no group') throw fail(422, { group_id: 'not_found' })
      if (created === 'identifier taken') throw fail(422, { unique_identifier: 'taken' })
      const rollout = 'rollout' in created ? created.rollout : null
      if (rollout) await auditStarted({ audit }, 'rollout.started', rollout)
      return { card: created.card, rolloutId: rollout?.rolloutId ?? null }
    }),
  async handle({ begun: { card, rolloutId }, rollouts, fail }) {
    const result = rolloutId === null ? undefined : await finished(rollouts, rolloutId, fail)
    return { card, projects_updated: result?.counts.changed ?? 0 }
  },
})
