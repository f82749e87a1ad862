import { audited } from '#api/audited.ts'
import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, optional, record, text, timestamp } from '#contract/schema.ts'
import { campaign } from '#themes/campaign/campaign.ts'
import { changeCampaign } from '#themes/campaign/changing.ts'
import { readVersion } from '#themes/version/version.ts'
import { auditedVersion } from '../versions/step.ts'
import { deadlineAbout, deadlinePast, isDeadlinePast } from './deadline-past.ts'
import { noCampaign } from './no-campaign.ts'

export default operation({
  path: '/services/websites/v1/themes/campaigns/update',
  summary: 'Change the reason, the replacement or the deadline of a campaign',
  about:
    'Within a minute the cards of the projects that still use the version say the same, except for what a project has changed in its card. After a new deadline, reminders come again. Projects that are being moved go to the new replacement from then on; without one they stay.',
  audience: 'superadmin',
  on: { 'theme version': 'version_id' },
  input: {
    version_id: integer(),
    reason: optional(text({ max: 1000, about: 'Why the version ends, for the projects that use it.' })),
    replacement_id: optional(integer({ about: 'Null for none.' })),
    deadline: optional(timestamp({ about: deadlineAbout })),
  },
  success: 200,
  message: 'The campaign was changed.',
  output: record({ campaign }),
  failures: { 404: noCampaign, 422: { replacement_id: notFound, deadline: deadlinePast } },
  writes: true,
  check({ input, fail }) {
    if (input.deadline && isDeadlinePast(input.deadline)) throw fail(422, { deadline: 'past' })
  },
  handle: (call) =>
    audited(call, async ({ input, projectId, db, fail, audit }) => {
      const { version_id: id, reason, replacement_id: replacementId, deadline } = input
      if (!(await readVersion(db, projectId, id))) return undefined
      const changed = await changeCampaign(db, id, {
        reason: reason ?? undefined,
        replacementId,
        deadline: deadline ?? undefined,
      })
      if (changed === 'no replacement') throw fail(422, { replacement_id: 'not_found' })
      if (!changed) throw fail(404, 'campaign_not_found')
      await audit({ kind: 'theme.campaign_changed', projectId, details: auditedVersion(changed) })
      return { campaign: changed }
    }),
})
