import { audited } from '#api/audited.ts'
import { operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { integer, record } from '#contract/schema.ts'
import { type Campaign, campaign } from '#themes/campaign/campaign.ts'
import { startMoving } from '#themes/campaign/moving.ts'
import { readVersion } from '#themes/version/version.ts'
import { auditedVersion } from '../versions/step.ts'
import { noCampaign } from './no-campaign.ts'

const auditedMove = (campaign: Campaign) => ({
  ...auditedVersion(campaign),
  ...(campaign.replacement && { replacement: auditedVersion(campaign.replacement).theme }),
})

export default operation({
  path: '/services/websites/v1/themes/campaigns/start-moving',
  summary: 'Move all projects that still use the version of a campaign to its replacement, in the background',
  audience: 'superadmin',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The projects are being moved.',
  output: record({ campaign }),
  failures: {
    400: { no_replacement: 'The campaign has no replacement that projects can choose.' },
    404: noCampaign,
  },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { version_id: id }, caller, projectId, db, fail, audit }) => {
      if (!(await readVersion(db, projectId, id))) return undefined
      const moving = await startMoving(db, id, caller.id)
      if (!moving) throw fail(404, 'campaign_not_found')
      const campaign = granted(moving, fail)
      await audit({ kind: 'theme.move_started', projectId, details: auditedMove(campaign) })
      return { campaign }
    }),
})
