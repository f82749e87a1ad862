import { asDue } from '#boards/card/due.ts'
import type { Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { countBoards } from '#quotas/room.ts'
import { chooser } from './choosing.ts'
import {
  type DemoBoard,
  demoBoards,
  demoDescriptions,
  demoSummaries,
  demoTags,
  demoThreads,
} from './content.ts'

export interface DemoMember {
  id: number
  email: string
}

/** Adds boards with cards, people, dates, comments and a history of some weeks before now. */
export async function seedBoards(
  queries: Queries,
  projectName: string,
  projectId: number,
  members: DemoMember[],
) {
  const choose = chooser(projectId)
  const history: PastEvent[] = []
  const tagIds = await seedTags(queries, projectId, members)
  for (const board of demoBoards[projectName] ?? [])
    await seedBoard(queries, board, { projectId, members, tagIds, choose, history })
  const inOrder = history.toSorted((a, b) => a.at.localeCompare(b.at))
  await recordEvents(await changesOfMany(queries, [projectId]), inOrder)
  await countBoards(queries, [projectId])
}

interface Scene {
  projectId: number
  members: DemoMember[]
  tagIds: number[]
  choose: ReturnType<typeof chooser>
  history: PastEvent[]
}

type PastEvent = Parameters<typeof recordEvents>[1][number] & { at: string }

async function seedTags({ sql }: Queries, projectId: number, members: DemoMember[]): Promise<number[]> {
  const ids: number[] = []
  for (const { name, color, icon, isActive = true } of demoTags) {
    const [tag] = await sql<{ id: number }[]>`
      insert into tags (project_id, name, color, icon, is_active, created_by)
      values (${projectId}, ${name}, ${color}, ${icon}, ${isActive}, ${members[0]?.id ?? null}) returning id`
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
  await sql`
    insert into saved_views (project_id, page, board_id, name, parameters, created_by)
    values (${projectId}, 'board', ${boardId}, 'By assignee', 'view=table&group=owner', ${members[0]?.id ?? null})`
  for (const group of board.groups) {
    const [column] = await sql<{ id: number }[]>`
      insert into groups (project_id, board_id, title, type, color, icon, is_active, archived_at, created_by, created_at)
      values (${projectId}, ${boardId}, ${group.title}, ${group.type ?? null}, ${group.color}, ${group.icon ?? null},
        ${!group.isArchived}, ${group.isArchived ? sql`now()` : null}, ${members[0]?.id ?? null}, now() - interval '40 days')
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
  const { projectId, members, tagIds, choose, history } = scene
  const author = choose(members)
  const owner = choose([undefined, ...members])
  const ageHours = choose([2, 9, 26, 50, 75, 120, 200, 340, 500])
  const dueDays = choose([null, null, -6, -2, -1, 0.2, 1, 2, 3, 5, 9, 14, 30])
  const hour = 3_600_000
  const due = asDue({
    due_date:
      dueDays === null
        ? null
        : new Date(Math.floor(Date.now() / hour) * hour + dueDays * 24 * hour).toISOString(),
    due_is_date: Number.isInteger(dueDays),
  })
  const snoozeDays = status === 'open' ? choose([null, null, null, null, null, 4, 12]) : null
  const priority = choose(['low', 'normal', 'normal', 'normal', 'high', 'urgent'] as const)
  const [card] = await sql<{ id: number }[]>`
    insert into cards (project_id, board_id, group_id, title, short_description, description, status, priority, owner_id, tag_id, sort_order,
      due_date, due_is_date, snoozed_until, created_by, created_at, updated_at)
    values (${projectId}, ${boardId}, ${groupId}, ${title}, ${choose([null, null, null, null, null, null, ...demoSummaries])},
      ${choose([null, null, ...demoDescriptions])}, ${status},
      ${priority}, ${owner?.id ?? null}, ${choose([null, ...tagIds])}, ${order},
      ${due.due_date}, ${due.due_is_date}, now() + ${snoozeDays}::float8 * interval '1 day',
      ${author.id}, now() - ${ageHours}::float8 * interval '1 hour', now() - ${ageHours / 2}::float8 * interval '1 hour')
    returning id`
  const cardId = card?.id as number
  const event = (actorId: number, hoursAgo: number) => ({
    projectId,
    boardId,
    cardId,
    actorId,
    at: new Date(Date.now() - hoursAgo * 3_600_000).toISOString(),
  })
  const created = event(author.id, ageHours)
  history.push({
    ...created,
    kind: 'card.created',
    data: {
      title,
      group_id: groupId,
      position: order,
      sort_order: order,
      status: 'open',
      priority,
      is_active: true,
      created_by: author.id,
      created_at: created.at,
    },
  })
  if (owner && owner !== author)
    history.push({
      ...event(author.id, ageHours * 0.9),
      kind: 'card.updated',
      data: { changes: { owner_id: { from: null, to: owner.id } } },
    })
  if (status !== 'open')
    history.push({
      ...event(choose(members).id, ageHours / 2),
      kind: 'card.updated',
      data: { changes: { status: { from: 'open', to: status } } },
    })
  const thread = choose([[], [], [], ...demoThreads])
  for (const [index, comment] of thread.entries()) {
    const hoursAgo = ageHours / (index + 2)
    const writer = members[(index + order) % members.length] as DemoMember
    const [made] = await sql<{ id: number }[]>`
      insert into comments (project_id, card_id, user_id, comment, created_at, updated_at)
      values (${projectId}, ${cardId}, ${writer.id}, ${comment},
        now() - ${hoursAgo}::float8 * interval '1 hour', now() - ${hoursAgo}::float8 * interval '1 hour')
      returning id`
    history.push({
      ...event(writer.id, hoursAgo),
      kind: 'comment.created',
      data: { comment_id: made?.id as number },
    })
  }
}
