import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { restoreTag } from '#boards/tag/restoring.ts'
import { tag } from '#boards/tag/tag.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/restore',
  summary: 'Restore a deleted tag at its old place, and on the cards that had it and have no other tag',
  audience: 'work',
  on: { 'deleted tag': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The tag was restored.',
  output: record({ tag }),
  failures: { 400: { ...limitReached, tag_not_deleted: 'This tag is not deleted.' } },
  writes: true,
  async handle({ input: { id }, caller, projectId, db, quotas, fail }) {
    const restoring = restoreTag(db, quotas, { projectId, id, actorId: caller.id })
    const restored = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (restored === 'not deleted') throw fail(400, 'tag_not_deleted')
    return restored && { tag: restored }
  },
})
