import { audited } from '#api/audited.ts'
import { operation } from '#api/operation.ts'
import { integer, list, nothing, optional, text } from '#contract/schema.ts'
import { isOneLine, labelProjects, longestLabel, mostLabels } from '#fleet/labeling.ts'
import { notOneLine } from './labels.ts'

const labels = (about: string) => optional(list(text({ max: longestLabel }), { max: mostLabels, about }))

export default operation({
  path: '/services/operations/v1/admin/projects/label',
  summary: 'Give labels to projects, and take others from them',
  about:
    'Labels are in lower case. A project can have 20 of them. Admins and owners of the project see them.',
  audience: 'superadmin',
  on: { project: 'ids' },
  input: {
    ids: list(integer(), { max: 1000, about: 'The ids of the projects.' }),
    add: labels('The labels to give.'),
    remove: labels('The labels to take away.'),
  },
  success: 200,
  message: 'The projects were labeled.',
  output: nothing,
  failures: {
    400: { too_many_labels: 'A project can have at most 20 labels.' },
    422: { 'add.*': notOneLine },
  },
  writes: true,
  check({ input: { add }, fail }) {
    const bad = (add ?? []).findIndex((label) => !isOneLine(label))
    if (bad >= 0) throw fail(422, { [`add.${bad}` as const]: 'not_one_line' })
  },
  handle: (call) =>
    audited(call, async ({ input: { ids, add, remove }, caller, db, fail, auditForProjects }) => {
      const labeled = await labelProjects(
        db,
        { projectIds: ids, actorId: caller.id },
        { add: add ?? [], remove: remove ?? [] },
      )
      if (labeled === 'too many') throw fail(400, 'too_many_labels')
      await auditForProjects(ids, {
        kind: 'project.labeled',
        details: {
          labels_added: (add ?? []).join(', ') || null,
          labels_removed: (remove ?? []).join(', ') || null,
        },
      })
      return []
    }),
})
