import { audited } from '#api/audited.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { campaign } from '#themes/campaign/campaign.ts'
import { endCampaign } from '#themes/campaign/ending.ts'
import { readVersion } from '#themes/version/version.ts'
import { auditedVersion } from '../versions/step.ts'
import { noCampaign } from './no-campaign.ts'

export default operation({
  path: '/services/websites/v1/themes/campaigns/end',
  summary: 'End a campaign; the version stays deprecated',
  about:
    'Projects that still use the version keep it, and are neither reminded nor moved any more. Within a minute the cards of the campaign are closed. It can be started again.',
  audience: 'superadmin',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The campaign has ended.',
  output: record({ campaign }),
  failures: { 404: noCampaign },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { version_id: id }, projectId, db, fail, audit }) => {
      if (!(await readVersion(db, projectId, id))) return undefined
      const ended = await endCampaign(db, id)
      if (!ended) throw fail(404, 'campaign_not_found')
      await audit({ kind: 'theme.campaign_ended', projectId, details: auditedVersion(ended) })
      return { campaign: ended }
    }),
})
