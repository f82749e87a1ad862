import { operation } from '#api/operation.ts'
import { integer } from '#contract/schema.ts'
import { chooseFollowing, following } from '#inbox/following.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/unmute',
  summary: 'Unmute a card',
  audience: 'read',
  on: { card: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The card is no longer muted.',
  output: following,
  failures: {},
  writes: true,
  handle: ({ input: { id: cardId }, caller, projectId, db }) =>
    chooseFollowing(db, { projectId, cardId, userId: caller.id }, { isMuted: false }),
})
