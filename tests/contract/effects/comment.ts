import assert from 'node:assert/strict'
import { call, type Effects, scene, statusOf, times } from './world.ts'

interface Comment {
  id: number
  comment: string
  is_read: boolean
  read_at: string | null
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** A card with one comment of the member. */
async function discussion() {
  const board = await scene()
  const card = await board.addCard()
  const comment = await board.addComment(card.id)
  const list = async (person = board.viewer): Promise<Comment[]> =>
    (await call(person, 'comments/list', { card_id: card.id })).comments
  return { ...board, card, comment, list }
}

export const commentEffects: Effects = {
  id: [
    'names the comment in operations on it',
    async () => {
      const { member, card, comment, addComment, list } = await discussion()
      await addComment(card.id, { comment: 'Other' })
      await call(member, 'comments/update', { id: comment.id, comment: 'Changed' })
      assert.deepEqual(
        (await list()).map((one) => one.comment),
        ['Changed', 'Other'],
      )
    },
  ],
  project_id: [
    'is the project whose people read the comment',
    async () => {
      const { projectId, card, comment, stranger } = await discussion()
      assert.equal(comment.project_id, projectId)
      assert.equal(await statusOf(stranger, 'comments/list', { card_id: card.id }), 403)
    },
  ],
  card_id: [
    'is the card that shows the comment; deleting the card deletes it, restoring brings it back',
    async () => {
      const { member, card, comment, list, addCard, viewer } = await discussion()
      const other = await addCard()
      assert.equal(comment.card_id, card.id)
      assert.deepEqual((await call(viewer, 'comments/list', { card_id: other.id })).comments, [])
      await call(member, 'cards/delete', { id: card.id })
      assert.equal(await statusOf(member, 'comments/update', { id: comment.id, comment: 'Late' }), 404)
      await call(member, 'cards/restore', { id: card.id })
      assert.deepEqual(
        (await list()).map(({ id }) => id),
        [comment.id],
      )
    },
  ],
  user_id: [
    'is the author, the only one who may change it',
    async () => {
      const { member, admin, comment } = await discussion()
      assert.equal(comment.user_id, member.id)
      const change = { id: comment.id, comment: 'Changed' }
      assert.equal(await statusOf(admin, 'comments/update', change), 403)
      assert.equal(await statusOf(member, 'comments/update', change), 200)
    },
  ],
  parent_comment_id: [
    'is the comment that was replied to, also if that is a reply; deleting it deletes its replies',
    async () => {
      const { member, card, comment, addComment, list } = await discussion()
      const reply = await addComment(card.id, { parent_comment_id: comment.id })
      const second = await addComment(card.id, { parent_comment_id: reply.id })
      assert.deepEqual(
        [comment.parent_comment_id, reply.parent_comment_id, second.parent_comment_id],
        [null, comment.id, reply.id],
      )
      await call(member, 'comments/delete', { id: reply.id })
      assert.deepEqual(
        (await list()).map(({ id }) => id),
        [comment.id],
      )
    },
  ],
  comment: [
    'is the text, kept as it was written',
    async () => {
      const { member, comment, list } = await discussion()
      const text = 'if a<b then <b>stop</b>'
      await call(member, 'comments/update', { id: comment.id, comment: text })
      assert.equal((await list())[0]?.comment, text)
    },
  ],
  is_read: [
    'is true for its author and for those who have read it; comments/unread counts the others',
    async () => {
      const { member, viewer, admin, boardId, card, comment, list } = await discussion()
      assert.equal(comment.is_read, true)
      const unread = async (person: typeof viewer) =>
        (await call(person, 'comments/unread', { board_id: boardId })).cards
      assert.equal((await list(viewer))[0]?.is_read, false)
      assert.deepEqual(await unread(viewer), [{ card_id: card.id, unread_count: 1 }])
      await call(viewer, 'comments/mark-read', { card_id: card.id })
      assert.equal((await list(viewer))[0]?.is_read, true)
      assert.deepEqual(await unread(viewer), [])
      assert.deepEqual([(await unread(admin)).length, (await unread(member)).length], [1, 0])
    },
  ],
  read_at: [
    'is when the caller read it, and null before',
    async () => {
      const { viewer, card, list } = await discussion()
      assert.equal((await list())[0]?.read_at, null)
      const before = Date.now()
      await call(viewer, 'comments/mark-read', { card_id: card.id })
      const readAt = Date.parse((await list())[0]?.read_at as string)
      assert.ok(readAt >= before && readAt <= Date.now())
    },
  ],
  ...times(async () => {
    const { member, comment, list } = await discussion()
    const { id } = comment
    return {
      read: async () => (await list())[0],
      change: (text) => call(member, 'comments/update', { id, comment: text }),
      remove: () => call(member, 'comments/delete', { id }),
      restore: () => call(member, 'comments/restore', { id }),
    }
  }),
}
