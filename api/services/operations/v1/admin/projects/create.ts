import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { platformInput } from '#api/platform.ts'
import { list, optional, record, text } from '#contract/schema.ts'
import { createFleetProject } from '#fleet/creating.ts'
import { isOneLine, longestLabel, mostLabels } from '#fleet/labeling.ts'
import { projectInFleet } from '#fleet/project.ts'
import { notOneLine } from './labels.ts'
import { badToolKeys, checkToolKeys, refuseUnknown, toolKeys } from './tool-keys.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/create',
  summary: 'Create a project with products and labels; it receives the templates it has access to',
  about: 'It has no members at first: superadmins can open it, and invite people with `invitations/create`.',
  audience: 'superadmin',
  on: 'platform',
  input: {
    name: text({ max: 255 }),
    tool_keys: toolKeys,
    labels: optional(list(text({ max: longestLabel }), { max: mostLabels })),
    ...platformInput,
  },
  success: 201,
  message: 'The project was created.',
  output: record({ project: projectInFleet }),
  failures: { 422: { ...badToolKeys, 'labels.*': notOneLine } },
  writes: true,
  check(call) {
    checkToolKeys(call)
    const bad = (call.input.labels ?? []).findIndex((label) => !isOneLine(label))
    if (bad >= 0) throw call.fail(422, { [`labels.${bad}` as const]: 'not_one_line' })
  },
  async handle(call) {
    const { input, platformId, caller, db, quotas } = call
    const { name, tool_keys: keys, labels } = input
    await refuseUnknown(call)
    const origin = { ...originOf(call), actorId: caller.id }
    const wanted = { name, toolKeys: keys ?? [], labels: labels ?? [], platformId }
    return { project: await createFleetProject(db, origin, wanted, quotas) }
  },
})
