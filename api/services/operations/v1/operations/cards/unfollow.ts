import { operation } from '#api/operation.ts'
import { integer } from '#contract/schema.ts'
import { chooseFollowing, following } from '#inbox/following.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/unfollow',
  summary: 'Stop following a card; assignments and mentions still reach you',
  audience: 'read',
  on: { card: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'You no longer follow the card.',
  output: following,
  failures: {},
  writes: true,
  handle: ({ input: { id: cardId }, caller, projectId, db }) =>
    chooseFollowing(db, { projectId, cardId, userId: caller.id }, { isFollowing: false }),
})
