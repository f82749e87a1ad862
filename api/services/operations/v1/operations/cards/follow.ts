import { operation } from '#api/operation.ts'
import { integer } from '#contract/schema.ts'
import { chooseFollowing, following } from '#inbox/following.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/follow',
  summary: 'Follow a card: its comments and status changes are in your inbox',
  audience: 'read',
  on: { card: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'You follow the card.',
  output: following,
  failures: {},
  writes: true,
  handle: ({ input: { id: cardId }, caller, projectId, db }) =>
    chooseFollowing(db, { projectId, cardId, userId: caller.id }, { isFollowing: true }),
})
