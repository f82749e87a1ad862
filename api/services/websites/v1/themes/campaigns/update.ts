import { operation } from '#api/operation.ts'
import { integer, record, timestamp } from '#contract/schema.ts'
import { campaign } from '#themes/campaign/campaign.ts'
import { changeDeadline } from '#themes/campaign/changing.ts'
import { readVersion } from '#themes/version/version.ts'
import { deadlineAbout, deadlinePast, isDeadlinePast } from './deadline-past.ts'
import { noCampaign } from './no-campaign.ts'

export default operation({
  path: '/services/websites/v1/themes/campaigns/update',
  summary: 'Move the deadline of a campaign',
  about:
    'Within a minute the cards of the projects that still use the version are due at the new deadline, unless the project has given its card another due date. Reminders come again before the new deadline.',
  audience: 'superadmin',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer(), deadline: timestamp({ about: deadlineAbout }) },
  success: 200,
  message: 'The deadline was moved.',
  output: record({ campaign }),
  failures: { 404: noCampaign, 422: { deadline: deadlinePast } },
  writes: true,
  check({ input, fail }) {
    if (isDeadlinePast(input.deadline)) throw fail(422, { deadline: 'past' })
  },
  async handle({ input: { version_id: id, deadline }, projectId, db, fail }) {
    if (!(await readVersion(db, projectId, id))) return undefined
    const changed = await changeDeadline(db, id, deadline)
    if (!changed) throw fail(404, 'campaign_not_found')
    return { campaign: changed }
  },
})
