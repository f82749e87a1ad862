import { operation } from '#api/operation.ts'
import { nothing, text } from '#contract/schema.ts'
import { endPresence } from '#presence/presence.ts'

export default operation({
  path: '/services/operations/v1/operations/presence/end',
  summary: 'Stop showing that the caller has a board open in the window of this event stream',
  audience: 'read',
  on: 'project',
  input: { stream_id: text({ min: 1, max: 64 }) },
  success: 200,
  message: 'The others no longer see you here.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input: { stream_id: streamId }, caller, projectId, db, tellPresence }) {
    await endPresence(db, { projectId, userId: caller.id, streamId })
    db.afterCommit(() => tellPresence(projectId))
    return []
  },
})
