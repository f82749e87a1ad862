import { audited } from '#api/audited.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record, text } from '#contract/schema.ts'
import { giveProduct } from '#fleet/creating.ts'
import { projectInFleet } from '#fleet/project.ts'
import { archivedFailures } from '#identity/caller.ts'
import { platformOf } from '#projects/platform.ts'
import { noProduct, unknownProduct, unknownProductIn } from '../known-products.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/add-product',
  summary: 'Give a project a product; it receives the templates that it gains access to',
  about: '`projects/preview` says beforehand which ones. A project that has the product stays as it is.',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer(), tool_key: text({ max: 100 }) },
  success: 200,
  message: 'The project has the product.',
  output: record({ project: projectInFleet }),
  failures: { 400: limitReached, ...archivedFailures, 422: { tool_key: unknownProduct } },
  writes: true,
  handle: (call) =>
    audited(call, async ({ input: { id, tool_key: key }, projectId, db, billing, quotas, fail, audit }) => {
      if (id !== projectId) return undefined
      const unknown = await unknownProductIn({ db, billing, platformId: await platformOf(db, id) }, [key])
      if (unknown !== undefined) throw fail(422, { tool_key: noProduct(unknown) })
      const given = await giveProduct(db, id, key, quotas).catch(onLimit((limit) => fail(400, ...limit)))
      if (!given) return undefined
      const { project, isNew } = given
      // What was given is undone. Rollouts leave archived projects alone too.
      if (project.archived_at !== null) throw fail(403, 'project_archived')
      if (isNew) await audit({ kind: 'project.product_added', projectId: id, details: { product: key } })
      return { project }
    }),
})
