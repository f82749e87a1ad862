import { audited } from '#api/audited.ts'
import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { extendTrials, isKnownProduct } from '#billing/trial.ts'
import { integer, list, record, text } from '#contract/schema.ts'
import { countProjects } from '#fleet/counting.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/extend-trials',
  summary:
    'Add days to the trials of a product in many projects, counted from the end of each, or from now if it has expired',
  about:
    'Projects without a trial of the product, and those whose trial would end more than ten years from now, stay as they are, and are counted as skipped.',
  audience: 'superadmin with billing',
  on: { project: 'ids' },
  input: {
    ids: list(integer(), { max: 1000, about: 'The ids of the projects.' }),
    product: text({ max: 100 }),
    days: integer({ min: 1, max: 365 }),
  },
  success: 200,
  message: 'The trials were extended.',
  output: record({ extended_count: integer(), skipped_count: integer() }),
  failures: { 422: { product: notFound } },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { ids, product, days }, caller, db, billing, fail, auditForProjects }) => {
      if (!(await isKnownProduct(db, billing.catalogue, product, ids)))
        throw fail(422, { product: 'not_found' })
      const extended = await extendTrials(db, { projectIds: ids, product, days, actorId: caller.id })
      // At once, so that the list shows what its reader has just done.
      await countProjects(db, ids)
      if (extended.length > 0)
        await auditForProjects(extended, { kind: 'trial.extended', details: { product, days } })
      return { extended_count: extended.length, skipped_count: ids.length - extended.length }
    }),
})
