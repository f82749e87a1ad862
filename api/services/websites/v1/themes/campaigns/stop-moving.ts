import { audited } from '#api/audited.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { campaign } from '#themes/campaign/campaign.ts'
import { stopMoving } from '#themes/campaign/moving.ts'
import { readVersion } from '#themes/version/version.ts'
import { auditedVersion } from '../versions/step.ts'
import { noCampaign } from './no-campaign.ts'

export default operation({
  path: '/services/websites/v1/themes/campaigns/stop-moving',
  summary: 'Stop moving projects; the ones that were moved stay where they are',
  about: 'No project is moved after the answer.',
  audience: 'superadmin',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'No more projects are moved.',
  output: record({ campaign }),
  failures: { 404: noCampaign },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { version_id: id }, projectId, db, fail, audit }) => {
      if (!(await readVersion(db, projectId, id))) return undefined
      const stopped = await stopMoving(db, id)
      if (!stopped) throw fail(404, 'campaign_not_found')
      await audit({ kind: 'theme.move_stopped', projectId, details: auditedVersion(stopped) })
      return { campaign: stopped }
    }),
})
