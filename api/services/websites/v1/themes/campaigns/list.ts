import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { list, record } from '#contract/schema.ts'
import { campaign, listCampaigns } from '#themes/campaign/campaign.ts'

export default operation({
  path: '/services/websites/v1/themes/campaigns/list',
  summary: 'List the running campaigns with how many projects still use the version, in pages',
  audience: 'superadmin',
  input: pageInput,
  success: 200,
  message: 'The campaigns.',
  output: record({ campaigns: list(campaign), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const rows = await listCampaigns(db, caller.superadminPlatformId, { after, limit: limit + 1 })
    const page = pageOf(rows, limit)
    return { campaigns: page.rows, next_cursor: page.next_cursor }
  },
})
