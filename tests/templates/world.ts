// A platform in a real database, together with the model of its content.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Services } from '#api/operation.ts'
import { operations } from '#api/registry.ts'
import { within } from '#api/scope.ts'
import { Failure } from '#contract/failure.ts'
import { stepsOf } from '#contract/router.ts'
import type { Sentence } from '#contract/speech.ts'
import { countNewProject } from '#coverage/counts.ts'
import type { Caller } from '#identity/caller.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { countBoards } from '#quotas/room.ts'
import { receiveMasters } from '#rollouts/new-project.ts'
import { keepRevisions } from '#templates/masters.ts'
import { boardFields, cardFields, groupFields } from '#templates/rules.ts'
import { publishWhole } from '#templates/version/publishing.ts'
import { readDescription } from '#text/description.ts'
import { quietLog } from '../../log.ts'
import {
  type Board,
  type Card,
  type Group,
  hasAccess,
  inOrder,
  live,
  type MasterBoard,
  type Project,
  publish,
  receive,
} from './model.ts'

export type Testbed = Pick<Services, 'db' | 'rollouts'> & { userId: number }

/** A rollout, and the boards that changed in the model. */
export interface RolledOut {
  master: MasterBoard
  cardId: number | null
  /** The projects that were to receive it. */
  reached: Project[]
  changes: { project: Project; board: Board }[]
}

export interface World extends Testbed {
  platformId: number
  masters: MasterBoard[]
  projects: Project[]
  /** To whom a list of masters ever gave each rank, by list. */
  rankOwners: Map<string, Map<number, number>>
  /** Descriptions of all steps, for debugging. */
  history: string[]
  /** The rollout of the last step, if any. */
  rolledOut?: RolledOut | undefined
}

type Answer = { status: number; data: Record<string, never> }

/** Calls an operation's handler as a superadmin in the project. */
export async function call(
  world: Testbed,
  path: string,
  input: object,
  projectId: number | null = null,
): Promise<Answer> {
  const operation = operations.find((one) => one.path === `/services/operations/v1/${path}`)
  assert.ok(operation, path)
  const accepted = operation.accept({ ...input })
  assert.ok('input' in accepted, JSON.stringify(accepted))
  const caller: Caller = {
    id: world.userId,
    superadmin: true,
    superadminBilling: true,
    superadminPlatformId: null,
    pendingRights: null,
    isExempt: false,
    sessionId: 0,
    carrier: 'bearer',
    language: null,
    requestedProject: undefined,
    projectId,
    projectPlatformId: null,
    projectRole: null,
    isProjectArchived: false,
  }
  const http = {
    ...{ header: () => undefined, answerHeader() {}, requireRoom() {}, method: 'POST', address: '' },
    ...{
      isForwarded: false,
      requestId: randomUUID(),
      arrivedAt: 0,
      language: null,
      say: ({ text }: Sentence) => text,
    },
  }
  // What no step of the model asks for is not there.
  const services = {
    ...world,
    quotas: usualQuotas,
    readDescription: async (text: string) => readDescription(text),
    log: quietLog,
  } as Partial<Services> as Services
  const steps = stepsOf({ path, operation }, accepted, { caller, http, alongside: {} }, within)
  try {
    const data = await steps.handle(services, await steps.begin?.(services))
    return { status: operation.success, data: data as Answer['data'] }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { status: error.status, data: {} }
  }
}

const texts = (title: string) =>
  Object.fromEntries(cardFields.map((name) => [name, name === 'title' ? title : null]))

/** Two master boards, one of which needs a tool. A tight list has room for only one card between two others. */
export async function createWorld(testbed: Testbed, isTight: boolean): Promise<World> {
  const { sql } = testbed.db
  const [platform] = await sql<{ id: number }[]>`insert into platforms (name) values ('Model') returning id`
  const world: World = {
    ...testbed,
    platformId: platform?.id as number,
    masters: [],
    projects: [],
    rankOwners: new Map(),
    history: [],
  }
  await addMasterBoard(world, 'shop', [3, 1], isTight)
  await addMasterBoard(world, null, [2], isTight)
  return world
}

async function addMasterBoard(
  world: World,
  toolKey: string | null,
  cardsInGroups: number[],
  isTight: boolean,
) {
  const { platformId, userId } = world
  await world.db.transaction(async (queries) => {
    const { sql } = queries
    const rank = (place: number) => (isTight ? sql`${place * 4 + 2}` : sql`list_end()`)
    const [board] = await sql<{ id: number }[]>`
      insert into master_boards (platform_id, tool_key, title, created_by)
      values (${platformId}, ${toolKey}, 'board', ${userId}) returning id`
    const boardId = board?.id as number
    const groups: { id: number; rank: number }[] = []
    const cards: { id: number; group_id: number; rank: number; sort_order: number }[] = []
    for (const [place, count] of cardsInGroups.entries()) {
      const made = await sql<typeof groups>`
        insert into master_groups (board_id, title, rank, created_by)
        values (${boardId}, 'group', ${rank(place)}, ${userId}) returning id, rank`
      groups.push(...made)
      for (let index = 0; index < count; index++)
        cards.push(
          ...(await sql<typeof cards>`
            insert into master_cards (board_id, platform_id, group_id, title, rank, sort_order, created_by)
            values (${boardId}, ${platformId}, ${made[0]?.id as number}, 'card', ${rank(index)}, ${index + 1}, ${userId})
            returning id, group_id, rank, sort_order`),
        )
    }
    const ids = (things: { id: number }[]) => things.map(({ id }) => id)
    await keepRevisions(queries, boardId, userId, { board: true, groupIds: ids(groups), cardIds: ids(cards) })
    await publishWhole(queries, { boardId, actorId: userId })
    const fields = { title: 'board', description: null, icon: null, color: null }
    const isNew = { isDeleted: false, revision: 1 }
    const master: MasterBoard = {
      id: boardId,
      toolKey,
      fields,
      isActive: true,
      newestRevision: 1,
      revision: 1,
      versions: [],
      groups: new Map(
        groups.map(({ id, rank }) => [id, { id, rank, fields: groupNamed('group'), ...isNew }]),
      ),
      cards: new Map(
        cards.map(({ id, rank, group_id: groupId, sort_order: sortOrder }) => [
          id,
          {
            ...{ id, rank, groupId, sortOrder, status: 'open', isActive: true },
            fields: { ...texts('card'), priority: 'normal', needs_confirmation: false } as never,
            ...isNew,
          },
        ]),
      ),
    }
    publish(master)
    world.masters.push(master)
    for (const { id, rank } of groups) noteRank(world, `groups of ${boardId}`, rank, id)
    for (const card of cards) noteRank(world, `cards of ${card.group_id}`, card.rank, card.id)
  })
}

/** Asserts that nothing gets the rank of another in a list of masters, because a project may still have that one there. */
export function noteRank(world: World, list: string, rank: number, id: number) {
  const owners = world.rankOwners.get(list) ?? new Map()
  assert.equal(owners.get(rank) ?? id, id, `${id} got a rank in ${list} that was another's: ${rank}`)
  world.rankOwners.set(list, owners.set(rank, id))
}

/** The fields of a group that has only a title. */
export const groupNamed = (title: string): Group['fields'] => ({
  title,
  description: null,
  type: null,
  color: null,
  icon: null,
  is_collapsed: false,
})

/** A project with its own board, and the templates. */
export async function addProject(world: World, tools: string[]): Promise<void> {
  const made = await world.db.transaction(async (queries) => {
    const { sql } = queries
    const [row] = await sql<{ id: number; board_id: number; group_id: number }[]>`
      with p as (
        insert into projects (platform_id, name, tool_keys) values (${world.platformId}, 'Project', ${sql.json(tools)})
        returning id
      ), b as (insert into boards (project_id, title) select id, 'own' from p returning id, project_id),
      g as (insert into groups (project_id, board_id, title) select project_id, id, 'own' from b returning id)
      select p.id, b.id as board_id, g.id as group_id from p, b, g`
    const { id, board_id: boardId, group_id: groupId } = row as NonNullable<typeof row>
    const [group] = await sql<{ rank: number }[]>`select rank from groups where project_id = ${id}`
    await countBoards(queries, [id])
    await receiveMasters(queries, id)
    await countNewProject(queries, id)
    return { id, boardId, groupId, rank: group?.rank as number }
  })
  const project: Project = { id: made.id, tools, boards: [], groups: [], cards: [] }
  project.boards.push({
    id: made.boardId,
    base: undefined,
    fields: { title: 'own', description: null, icon: null, color: null },
    hasOwnOrder: false,
    isDeleted: false,
  })
  project.groups.push({
    id: made.groupId,
    board: project.boards[0] as Project['boards'][0],
    base: undefined,
    fields: groupNamed('own'),
    rank: made.rank,
    isArchived: false,
    isDeleted: false,
  })
  world.projects.push(project)
  receiveAll(world, project)
}

/** Gives a project its templates when it is new or has gained a tool. */
export function receiveAll(world: World, project: Project) {
  for (const master of world.masters)
    if (master.isActive && hasAccess(project, master)) receive(project, master)
}

const columns = (names: readonly string[]) => names.map((name) => `'${name}', ${name}`).join(', ')

/** All content of the platform's projects as JSON, in the same form as the model's. */
const readStatement = `
  select p.id,
    (select coalesce(json_agg(json_build_object('id', id, 'master', master_board_id, 'revision', master_revision,
      'hasOwnOrder', has_own_order, 'isDeleted', deleted_at is not null, ${columns(boardFields)}) order by rank), '[]')
      from boards where project_id = p.id) as boards,
    (select coalesce(json_agg(json_build_object('id', id, 'master', master_group_id, 'revision', master_revision,
      'board', board_id, 'rank', rank, 'isArchived', not is_active, 'isDeleted', deleted_at is not null,
      ${columns(groupFields)}) order by id), '[]')
      from groups where project_id = p.id) as groups,
    (select coalesce(json_agg(json_build_object('id', id, 'master', master_card_id, 'revision', master_revision,
      'group', group_id, 'board', board_id, 'rank', rank, 'sortOrder', sort_order, 'status', status,
      'statusBeforeDone', status_before_done, 'isMoved', is_moved,
      'isActive', is_active, 'isDeleted', deleted_at is not null, 'comments', (select count(*) from comments m
        where m.project_id = c.project_id and m.card_id = c.id and m.deleted_at is null), ${columns(cardFields)}) order by id), '[]')
      from cards c where project_id = p.id) as cards
  from projects p where p.platform_id = $1 order by p.id`

interface Row {
  id: number
  master: number | null
  rank: number
}

interface ReadProject {
  id: number
  boards: Row[]
  groups: (Row & { board: number })[]
  cards: Row[]
}

/** Compares the projects with the model, which learns the ids of new rows. */
export async function compare(world: World): Promise<void> {
  const found = await world.db.run<ReadProject>(readStatement, [world.platformId])
  for (const [index, project] of world.projects.entries()) {
    const read = found[index] as ReadProject
    learnIds(project, read)
    learnRanks(project, read)
    const { boards, groups, cards } = viewOf(project)
    assert.deepEqual(read.boards, boards, `boards of project ${project.id}`)
    assert.deepEqual(read.groups, groups, `groups of project ${project.id}`)
    assert.deepEqual(read.cards, cards, `cards of project ${project.id}`)
  }
  assert.equal(found.length, world.projects.length)
}

function learnIds(project: Project, read: ReadProject) {
  for (const kind of ['boards', 'groups', 'cards'] as const) {
    const ids = new Map(read[kind].map(({ id, master }) => [master, id]))
    for (const thing of project[kind]) thing.id ??= ids.get(thing.base?.id ?? null)
  }
}

/** Groups that came last have ranks above all others of their board, in the master's order, and so have cards in their group. */
function learnRanks(project: Project, read: ReadProject) {
  for (const group of project.groups.filter(({ rank }) => rank === undefined)) {
    const known = project.groups.flatMap(({ board, rank }) => (board === group.board ? [rank ?? 0] : []))
    const rank = read.groups.find(({ id }) => id === group.id)?.rank ?? 0
    assert.ok(rank > Math.max(...known), `group ${group.id} of project ${project.id} comes last`)
    group.rank = rank
  }
  const ranks = new Map(read.cards.map(({ id, rank }) => [id, rank]))
  const last = project.cards.filter(({ rank }) => rank === undefined)
  const others = live(project.cards).filter(({ rank }) => rank !== undefined)
  for (const card of last) {
    card.rank = ranks.get(card.id as number) as number
    for (const { group, rank } of others)
      assert.ok(group !== card.group || (rank as number) < card.rank, `card ${card.id} comes last`)
  }
}

const byId = (a: { id: number | undefined }, b: { id: number | undefined }) =>
  (a.id as number) - (b.id as number)

const placeOf = ({
  id,
  base,
}: {
  id: number | undefined
  base: { id: number; revision: number } | undefined
}) => ({
  id,
  master: base?.id ?? null,
  revision: base?.revision ?? null,
})

const viewOf = ({ boards, groups, cards }: Project) => ({
  boards: boards.map(({ fields, hasOwnOrder, isDeleted, ...board }) => ({
    ...placeOf(board),
    ...{ hasOwnOrder, isDeleted },
    ...fields,
  })),
  groups: groups.toSorted(byId).map(({ fields, rank, isArchived, isDeleted, board, ...group }) => ({
    ...placeOf(group),
    ...{ board: board.id, rank, isArchived, isDeleted },
    ...fields,
  })),
  cards: cards
    .toSorted(byId)
    .map(({ fields, rank, sortOrder, status, statusBeforeDone, group, ...card }) => ({
      ...placeOf(card),
      ...{ group: group.id, board: group.board.id, rank, sortOrder, status, statusBeforeDone },
      ...{ isMoved: card.isMoved, isActive: card.isActive, isDeleted: card.isDeleted },
      comments: card.comments,
      ...fields,
    })),
})

/** Reads the ranks of a group's cards, which are chosen at random, and asserts the expected order. */
export async function learnCards(world: World, project: Project, group: Group, expected: readonly Card[]) {
  const rows = await world.db.run<{ id: number; rank: number }>(
    'select id, rank from cards where project_id = $1 and group_id = $2',
    [project.id, group.id ?? null],
  )
  const ranks = new Map(rows.map(({ id, rank }) => [id, rank]))
  const changed = project.cards.filter(
    (card) => card.group === group && card.rank !== ranks.get(card.id as number),
  )
  for (const card of changed) card.rank = ranks.get(card.id as number) as number
  const cards = inOrder(project.cards.filter((card) => card.group === group))
  assert.deepEqual(
    cards.map(({ id }) => id),
    expected.map(({ id }) => id),
    `order of the cards in group ${group.id} of project ${project.id}`,
  )
  return changed
}
