import type { Queries } from '#database/connect.ts'
import { countBoards } from '#quotas/room.ts'
import { type DemoBoard, demoBoards, demoDescriptions, demoTags, demoThreads } from './content.ts'

export interface DemoMember {
  id: number
  email: string
}

/** Boards with cards, people, dates, comments and a history that reaches back some weeks, counted from now. */
export async function seedBoards(
  queries: Queries,
  projectName: string,
  projectId: number,
  members: DemoMember[],
) {
  const choose = chooser(projectId)
  const tagIds = await seedTags(queries, projectId, members)
  for (const board of demoBoards[projectName] ?? [])
    await seedBoard(queries, board, { projectId, members, tagIds, choose })
  await countBoards(queries, [projectId])
}

interface Scene {
  projectId: number
  members: DemoMember[]
  tagIds: number[]
  choose: ReturnType<typeof chooser>
}

async function seedTags({ sql }: Queries, projectId: number, members: DemoMember[]): Promise<number[]> {
  const ids: number[] = []
  for (const { name, color, icon } of demoTags) {
    const [tag] = await sql<{ id: number }[]>`
      insert into tags (project_id, name, color, icon, created_by)
      values (${projectId}, ${name}, ${color}, ${icon}, ${members[0]?.id ?? null}) returning id`
    ids.push(tag?.id as number)
  }
  return ids
}

async function seedBoard(queries: Queries, board: DemoBoard, scene: Scene) {
  const { sql } = queries
  const { projectId, members } = scene
  const [made] = await sql<{ id: number }[]>`
    insert into boards (project_id, title, description, icon, created_by, created_at)
    values (${projectId}, ${board.title}, ${board.description}, ${board.icon}, ${members[0]?.id ?? null}, now() - interval '40 days')
    returning id`
  const boardId = made?.id as number
  for (const group of board.groups) {
    const [column] = await sql<{ id: number }[]>`
      insert into groups (project_id, board_id, title, color, created_by, created_at)
      values (${projectId}, ${boardId}, ${group.title}, ${group.color}, ${members[0]?.id ?? null}, now() - interval '40 days')
      returning id`
    for (const [index, title] of group.cards.entries())
      await seedCard(queries, scene, {
        boardId,
        groupId: column?.id as number,
        title,
        status: group.status,
        order: index + 1,
      })
  }
}

interface NewCard {
  boardId: number
  groupId: number
  title: string
  status: string
  order: number
}

async function seedCard(queries: Queries, scene: Scene, { boardId, groupId, title, status, order }: NewCard) {
  const { sql } = queries
  const { projectId, members, tagIds, choose } = scene
  const author = choose(members)
  const owner = choose([undefined, ...members])
  const ageHours = choose([2, 9, 26, 50, 75, 120, 200, 340, 500])
  const dueDays = choose([null, null, -6, -2, -1, 0.2, 1, 2, 3, 5, 9, 14, 30])
  const snoozeDays = status === 'open' ? choose([null, null, null, null, null, 4, 12]) : null
  const [card] = await sql<{ id: number }[]>`
    insert into cards (project_id, board_id, group_id, title, description, status, priority, owner_id, tag_id, sort_order,
      due_date, snoozed_until, created_by, created_at, updated_at)
    values (${projectId}, ${boardId}, ${groupId}, ${title}, ${choose([null, null, ...demoDescriptions])}, ${status},
      ${choose(['low', 'normal', 'normal', 'normal', 'high', 'urgent'])}, ${owner?.id ?? null}, ${choose([null, ...tagIds])}, ${order},
      date_trunc('hour', now()) + ${dueDays}::float8 * interval '1 day', now() + ${snoozeDays}::float8 * interval '1 day',
      ${author.id}, now() - ${ageHours}::float8 * interval '1 hour', now() - ${ageHours / 2}::float8 * interval '1 hour')
    returning id`
  const cardId = card?.id as number
  const event = (actorId: number, kind: string, data: object, hoursAgo: number) => sql`
    insert into events (project_id, board_id, card_id, actor_id, kind, data, created_at)
    values (${projectId}, ${boardId}, ${cardId}, ${actorId}, ${kind}, ${sql.json(data as never)},
      now() - ${hoursAgo}::float8 * interval '1 hour')`
  await event(author.id, 'card.created', { title, group_id: groupId }, ageHours)
  if (status !== 'open')
    await event(
      choose(members).id,
      'card.updated',
      { changes: { status: { from: 'open', to: status } } },
      ageHours / 2,
    )
  const thread = choose([[], [], [], ...demoThreads])
  for (const [index, comment] of thread.entries()) {
    const hoursAgo = ageHours / (index + 2)
    const writer = members[(index + order) % members.length] as DemoMember
    const [made] = await sql<{ id: number }[]>`
      insert into comments (project_id, card_id, user_id, comment, created_at, updated_at)
      values (${projectId}, ${cardId}, ${writer.id}, ${comment},
        now() - ${hoursAgo}::float8 * interval '1 hour', now() - ${hoursAgo}::float8 * interval '1 hour')
      returning id`
    await event(writer.id, 'comment.created', { comment_id: made?.id }, hoursAgo)
  }
}

/** The same choices at every seeding: a linear congruential generator, started by the project. */
function chooser(seed: number) {
  let state = seed * 7919 + 17
  return <Item>(items: readonly Item[]): Item => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return items[Math.floor((state / 2_147_483_648) * items.length)] as Item
  }
}
