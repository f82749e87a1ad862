import { createComment } from '#boards/comment/writing.ts'
import type { Queries } from '#database/connect.ts'
import { usualQuotas } from '#quotas/quotas.ts'

/** Mentions and a reply of today, so that inboxes and mails show what they are for. */
export async function seedConversation(
  queries: Queries,
  projectId: number,
  people: { owner: number; admin: number; member: number },
): Promise<void> {
  const { sql } = queries
  const cards = await sql<{ id: number }[]>`
    select c.id from cards c join boards b on b.project_id = ${projectId} and b.id = c.board_id and b.master_board_id is null
    where c.project_id = ${projectId} and c.status = 'in_progress' and c.is_active order by c.id limit 2`
  const [first, second] = cards.map(({ id }) => id) as [number, number]
  const { owner, admin, member } = people
  const nameOf = async (id: number) => {
    const [user] = await sql<{ name: string }[]>`select name from users where id = ${id}`
    return user?.name as string
  }
  const say = async (
    cardId: number,
    actorId: number,
    comment: string,
    { parentId = null, mentioned = [] }: { parentId?: number | null; mentioned?: number[] } = {},
  ) => {
    const made = await createComment(
      queries,
      usualQuotas,
      { projectId, cardId, actorId },
      { comment, parentId, mentioned },
    )
    if (made === undefined || made === 'no parent') throw new Error('the demo has no such card')
    return made.id
  }
  const question = await say(first, owner, "Who can take this over while I'm away next week?")
  await say(first, member, 'I can, from Monday on.', { parentId: question })
  await say(second, admin, `@${await nameOf(owner)} could you have a look before we finish this?`, {
    mentioned: [owner],
  })
  await say(second, owner, `Looks good. @${await nameOf(member)}, it's yours from here.`, {
    mentioned: [member],
  })
}
