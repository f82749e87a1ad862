import { audited } from '#api/audited.ts'
import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { integer, optional, record, text, timestamp } from '#contract/schema.ts'
import { campaign } from '#themes/campaign/campaign.ts'
import { startCampaign } from '#themes/campaign/starting.ts'
import { auditedVersion } from '../versions/step.ts'
import { deadlineAbout, deadlinePast, isDeadlinePast } from './deadline-past.ts'

export default operation({
  path: '/services/websites/v1/themes/campaigns/create',
  summary: 'Deprecate a theme version and ask the projects that use it to change, until a deadline',
  about:
    'Each project that uses the version gets a card, which closes by itself when the project chooses another version. Its owners and admins are reminded a week and a day before the deadline. Restoring the version ends the campaign. The project that owns the theme can start one once an hour.',
  audience: 'manage themes',
  on: { 'theme version': 'version_id' },
  input: {
    version_id: integer(),
    reason: text({ max: 1000, about: 'Why the version ends, for the projects that use it.' }),
    replacement_id: optional(integer()),
    deadline: timestamp({ about: deadlineAbout }),
  },
  success: 201,
  message: 'The campaign was started.',
  output: record({ campaign }),
  failures: {
    400: {
      version_not_approved: 'Only an approved version can be deprecated.',
      campaign_running: 'There is a campaign for this version already.',
      campaign_just_started:
        'A campaign for this version was started less than an hour ago. Start the next one later.',
    },
    422: { replacement_id: notFound, deadline: deadlinePast },
  },
  writes: true,
  check({ input, fail }) {
    if (isDeadlinePast(input.deadline)) throw fail(422, { deadline: 'past' })
  },
  handle: (call) =>
    audited(call, async ({ input, caller, projectId, db, fail, audit }) => {
      const { version_id: id, reason, replacement_id: replacementId = null, deadline } = input
      const taken = { projectId, id, actorId: caller.id }
      const started = await startCampaign(db, taken, {
        ...{ reason, replacementId, deadline },
        isOwners: !caller.superadmin,
      })
      if (started === 'no replacement') throw fail(422, { replacement_id: 'not_found' })
      if (!started) return undefined
      const campaign = granted(started, fail)
      await audit({ kind: 'theme.deprecated', projectId, details: { ...auditedVersion(campaign), reason } })
      return { campaign }
    }),
})
