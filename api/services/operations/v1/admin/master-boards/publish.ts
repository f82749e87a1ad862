import { audited } from '#api/audited.ts'
import { noMasterBoard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { auditedTemplate } from '#templates/template/template.ts'
import { publishTemplate } from '#templates/version/publishing.ts'
import { version } from '#templates/version/version.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/publish',
  summary:
    'Publish the draft of a template as its next version; new projects receive it, others with the next rollout',
  audience: 'superadmin',
  on: { template: 'id' },
  input: {
    id: integer(),
    note: optional(text({ max: 1000, about: 'What changed, for the list of versions.' })),
  },
  success: 201,
  message: 'The version was published.',
  output: record({ version }),
  failures: {
    400: { nothing_to_publish: 'This template has no draft changes.' },
    404: noMasterBoard,
  },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { id, note }, caller, db, fail, audit }) => {
      const published = await publishTemplate(db, { id, actorId: caller.id }, note ?? '')
      if (!published) throw fail(404, 'master_board_not_found')
      if (published === 'nothing to publish') throw fail(400, 'nothing_to_publish')
      const { platformId, details } = await auditedTemplate(db, id)
      await audit({
        kind: 'template.published',
        platformId,
        details: { ...details, version: published.number },
      })
      return { version: published }
    }),
})
