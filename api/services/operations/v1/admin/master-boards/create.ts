import { operation } from '#api/operation.ts'
import { platformInput } from '#api/platform.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { record } from '#contract/schema.ts'
import { createTemplate } from '#templates/template/creating.ts'
import { template } from '#templates/template/template.ts'
import {
  badDescription,
  checkDescription,
  cleaned,
  color,
  description,
  icon,
  title,
  toolKey,
} from '../../operations/fields.ts'
import { noProduct, unknownProduct, unknownProductIn } from '../known-products.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/create',
  summary: 'Create an empty template',
  audience: 'superadmin',
  on: 'platform',
  input: { title, description, tool_key: toolKey, icon, color, ...platformInput },
  success: 201,
  message: 'The template was created.',
  output: record({ board: template }),
  failures: {
    422: {
      ...limitOn('title', 'icon', 'color'),
      tool_key: { ...limitReached, ...unknownProduct },
      description: { ...badDescription, ...limitReached },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({
    input: { platform_id: _, ...fields },
    platformId,
    caller,
    db,
    billing,
    quotas,
    readDescription,
    fail,
  }) {
    const unknown = await unknownProductIn(
      { db, billing, platformId },
      fields.tool_key ? [fields.tool_key] : [],
    )
    if (unknown !== undefined) throw fail(422, { tool_key: noProduct(unknown) })
    const wanted = await cleaned(fields, { readDescription, fail })
    const by = { platformId, actorId: caller.id }
    const creating = createTemplate(db, quotas, by, wanted)
    return {
      board: await creating.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit }))),
    }
  },
})
