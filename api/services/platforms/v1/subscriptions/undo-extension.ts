import { audited } from '#api/audited.ts'
import { operation } from '#api/operation.ts'
import { undoExtension } from '#billing/trial.ts'
import { integer, list, record, text } from '#contract/schema.ts'
import { countProjects } from '#fleet/counting.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/undo-extension',
  summary: 'Give trials back the end that they had before the caller extended them',
  about:
    'Only trials that the caller extended within the last hour and that were not extended or paid for since. The others stay as they are, and are counted as skipped.',
  audience: 'superadmin with billing',
  on: { project: 'ids' },
  input: {
    ids: list(integer(), { max: 1000, about: 'The ids of the projects.' }),
    product: text({ max: 100 }),
  },
  success: 200,
  message: 'The trials end as before.',
  output: record({ undone_count: integer(), skipped_count: integer() }),
  failures: {},
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { ids, product }, caller, db, auditForProjects }) => {
      const undone = await undoExtension(db, { projectIds: ids, product, actorId: caller.id })
      // At once, so that the list shows what its reader has just done.
      await countProjects(db, ids)
      if (undone.length > 0)
        await auditForProjects(undone, { kind: 'trial.extension_undone', details: { product } })
      return { undone_count: undone.length, skipped_count: ids.length - undone.length }
    }),
})
