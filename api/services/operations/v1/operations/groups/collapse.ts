import { operation } from '#api/operation.ts'
import { collapseGroup } from '#boards/group/collapsing.ts'
import { flag, integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/collapse',
  summary: 'Collapse or expand a group for the caller alone; `is_collapsed` of the group stays the default',
  audience: 'read',
  on: { group: 'id' },
  input: {
    id: integer(),
    is_collapsed: flag({ about: 'True shows the group collapsed to you, false expanded.' }),
  },
  success: 200,
  message: 'The group was collapsed or expanded for you.',
  output: record({
    group_id: integer({ about: 'The id of the group.' }),
    is_collapsed: flag({ about: 'Whether it is collapsed for you now.' }),
  }),
  failures: {},
  writes: true,
  async handle({ input: { id, is_collapsed: isCollapsed }, caller, projectId, db }) {
    return collapseGroup(db, { projectId, id, userId: caller.id }, isCollapsed)
  },
})
