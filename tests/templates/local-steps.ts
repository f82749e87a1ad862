// What people do in their projects; each step does it in the database and in the model.
import assert from 'node:assert/strict'
import { keepingCoverage } from '#coverage/counts.ts'
import { receiveMasters } from '#rollouts/new-project.ts'
import {
  type Board,
  type Card,
  deleteCards,
  type Group,
  inOrder,
  live,
  moveTo,
  type Project,
  returnTo,
} from './model.ts'
import { call, groupNamed, learnCards, receiveAll, type World } from './world.ts'

/** Arbitrary numbers by which a step makes its choices. */
export type Choice = readonly [number, number, number, number]

export const pick = <Thing>(things: readonly Thing[], choice: number): Thing | undefined =>
  things[choice % things.length]

/** Returns a description of the step, or undefined if there was nothing to do. */
export type Step = (world: World, choice: Choice) => Promise<string | undefined>

type LocalStep = (
  world: World,
  project: Project,
  choice: readonly [number, number, number],
) => Promise<string | undefined>

const inProject =
  (step: LocalStep): Step =>
  async (world, [first, ...rest]) => {
    const project = pick(world.projects, first)
    const words = project && (await step(world, project, rest))
    return words && `${words} (project ${project?.id})`
  }

const operations = 'operations'

async function expectStatus(world: World, path: string, input: object, project: Project, status: number) {
  const answer = await call(world, `${operations}/${path}`, input, project.id)
  assert.equal(answer.status, status, `${path} ${JSON.stringify(input)}`)
  return answer.data
}

const words = ['a', 'b', 'c']
const optionalWords = [null, ...words]
const edits = {
  title: words,
  description: optionalWords,
  short_description: optionalWords,
  priority: ['low', 'normal', 'high', 'urgent'],
  status: ['open', 'closed'],
} as const

const groupEdits = {
  title: words,
  description: optionalWords,
  // Half of them are done, so that moves close and reopen cards.
  type: ['done', 'done', 'done', null, 'active', 'own word'],
  color: optionalWords,
  icon: optionalWords,
  is_collapsed: [true, false],
} satisfies Record<keyof Group['fields'], readonly (string | boolean | null)[]>

/** A change of one field of a group, in a project or in a template. */
export function groupEdit(field: number, value: number): Partial<Group['fields']> {
  const name = pick(Object.keys(groupEdits) as (keyof typeof groupEdits)[], field) as keyof typeof groupEdits
  return { [name]: pick<string | boolean | null>(groupEdits[name], value) }
}

const editCard: LocalStep = async (world, project, [a, b, c]) => {
  const card = pick(live(project.cards), a)
  const name = pick(Object.keys(edits) as (keyof typeof edits)[], b) as keyof typeof edits
  const value = pick<string | null>(edits[name], c) as string | null
  if (!card) return undefined
  await expectStatus(world, 'cards/update', { id: card.id, [name]: value }, project, 200)
  if (name === 'status') card.status = value as string
  else card.fields = { ...card.fields, [name]: value }
  return `card ${card.id}: ${name} = ${value}`
}

const dismissCard: LocalStep = async (world, project, [a, b]) => {
  const card = pick(live(project.cards), a)
  if (!card) return undefined
  card.isActive = b % 3 === 0
  await expectStatus(world, 'cards/update', { id: card.id, is_active: card.isActive }, project, 200)
  return `card ${card.id}: is_active = ${card.isActive}`
}

const dismissAll: LocalStep = async (world, project) => {
  const tour = live(project.cards).filter((card) => card.fields.tour_key !== null && card.isActive)
  for (const card of tour) card.isActive = false
  const { dismissed_count: count } = await expectStatus(world, 'tour/cards/dismiss-all', {}, project, 200)
  assert.equal(count, tour.length)
  return 'dismiss all'
}

/** The groups of a board in their order, without archived ones. */
const shownOn = (project: Project, board: Board) =>
  inOrder(project.groups.filter((group) => group.board === board && !group.isArchived))

const inGroup = (project: Project, group: Group) =>
  inOrder(project.cards.filter((card) => card.group === group))

const moveCard: LocalStep = async (world, project, [a, b, c]) => {
  const card = pick(live(project.cards), a)
  // Half of the moves stay in the group, so that lists run out of room.
  const group = b % 2 === 0 ? card?.group : pick(live(project.groups), b)
  if (!card || !group) return undefined
  const before = inGroup(project, group)
  const others = before.filter((other) => other !== card)
  const position = (c % (others.length + 2)) + 1
  const input = { id: card.id, group_id: group.id, position }
  await expectStatus(world, 'cards/move', input, project, group.isArchived ? 422 : 200)
  if (group.isArchived) return `card ${card.id} to archived group ${group.id}: refused`
  const expected = others.toSpliced(Math.min(position, others.length + 1) - 1, 0, card)
  const isThere = card.group === group && before.every((other, place) => other === expected[place])
  moveTo(group, card)
  const changed = await learnCards(world, project, group, expected)
  if (!isThere) card.isMoved = true
  // There was no room left, so the project gave all cards new ranks.
  if (changed.some((other) => other !== card))
    for (const other of project.cards.filter((other) => other.group === group)) other.isMoved = true
  return `card ${card.id} to place ${position} of group ${group.id}${changed.length > 1 ? ', respaced' : ''}`
}

const createCard: LocalStep = async (world, project, [a]) => {
  const group = pick(live(project.groups), a)
  if (!group) return undefined
  const input = { group_id: group.id, title: 'own' }
  const made = await expectStatus(world, 'cards/create', input, project, group.isArchived ? 422 : 201)
  if (group.isArchived) return `new card in archived group ${group.id}: refused`
  const { id, sort_order: sortOrder } = made['card'] as unknown as { id: number; sort_order: number }
  const before = inGroup(project, group)
  const texts = { description: null, short_description: null, evaluation_check: null, tour_key: null }
  const card: Card = {
    ...{ id, group, base: undefined, status: 'open', statusBeforeDone: null },
    ...{ rank: 0, sortOrder, comments: 0 },
    fields: {
      ...texts,
      title: 'own',
      priority: 'normal',
      unique_identifier: null,
      needs_confirmation: false,
    },
    ...{ isMoved: false, isActive: true, isDeleted: false, isWithdrawn: false, isStopped: false },
  }
  project.cards.push(card)
  await learnCards(world, project, group, [...before, card])
  return `new card ${id} in group ${group.id}`
}

const comment: LocalStep = async (world, project, [a]) => {
  const card = pick(live(project.cards), a)
  if (!card) return undefined
  await expectStatus(world, 'comments/create', { card_id: card.id, comment: 'x' }, project, 201)
  card.comments++
  return `comment on card ${card.id}`
}

const deleteCard: LocalStep = async (world, project, [a]) => {
  const card = pick(live(project.cards), a)
  if (!card) return undefined
  await expectStatus(world, 'cards/delete', { id: card.id }, project, 200)
  deleteCards([card])
  return `delete card ${card.id}`
}

const restoreCard: LocalStep = async (world, project, [a]) => {
  const card = pick(
    project.cards.filter(({ isDeleted }) => isDeleted),
    a,
  )
  if (!card) return undefined
  const own = card.group
  const isGone = own.isDeleted || own.isArchived
  const group = isGone ? shownOn(project, own.board)[0] : own
  await expectStatus(world, 'cards/restore', { id: card.id }, project, group ? 200 : 400)
  if (!group) return `restore card ${card.id}: refused`
  const others = inGroup(project, group)
  const isFree = returnTo(group, project, card)
  const changed = await learnCards(
    world,
    project,
    group,
    isFree ? inGroup(project, group) : [...others, card],
  )
  assert.deepEqual(changed, isFree ? [] : [card])
  return `restore card ${card.id}`
}

const resetCard: LocalStep = async (world, project, [a, b, c]) => {
  const card = pick(
    live(project.cards).filter(({ base }) => base),
    a,
  )
  const base = card?.base
  if (!card || !base) return undefined
  const names = ['title', 'description', 'short_description', 'priority', 'place', 'is_active'] as const
  const wanted = b % 2 === 0 ? [...names] : [pick(names, c) as (typeof names)[number]]
  const isMaster = world.masters.some(
    ({ versions }) => versions.at(-1)?.cards.get(base.id)?.isDeleted === false,
  )
  const target = live(project.groups).find((group) => group.base?.id === base.groupId && !group.isArchived)
  const isPlaceable = !wanted.includes('place') || !card.isMoved || target !== undefined
  const isAllowed = isMaster && isPlaceable
  await expectStatus(world, 'cards/reset', { id: card.id, fields: wanted }, project, isAllowed ? 200 : 400)
  if (!isAllowed) return `reset card ${card.id}: refused`
  for (const name of wanted) {
    if (name === 'is_active') card.isActive = true
    else if (name !== 'place') card.fields = { ...card.fields, [name]: base.fields[name] }
    else if (card.isMoved)
      Object.assign(card, { group: target, rank: base.rank, isMoved: false, statusBeforeDone: null })
  }
  return `reset ${wanted} of card ${card.id}`
}

const stopUpdates: LocalStep = async (world, project, [a, b]) => {
  const card = pick(
    live(project.cards).filter(({ base }) => base),
    a,
  )
  const base = card?.base
  if (!card || !base) return undefined
  const isAllowed = world.masters.some(
    ({ versions }) => versions.at(-1)?.cards.get(base.id)?.isDeleted === false,
  )
  const isStopped = b % 3 !== 0
  const path = isStopped ? 'cards/stop-updates' : 'cards/take-updates'
  await expectStatus(world, path, { id: card.id }, project, isAllowed ? 200 : 400)
  if (isAllowed) card.isStopped = isStopped
  return `${path} of card ${card.id}${isAllowed ? '' : ': refused'}`
}

const editGroup: LocalStep = async (world, project, [a, b, c]) => {
  const group = pick(live(project.groups), a)
  if (!group) return undefined
  const change = groupEdit(b, c)
  await expectStatus(world, 'groups/update', { id: group.id, ...change }, project, 200)
  group.fields = { ...group.fields, ...change } as Group['fields']
  return `group ${group.id}: ${JSON.stringify(change)}`
}

async function learnGroups(world: World, project: Project, board: Board, expected: readonly Group[]) {
  const rows = await world.db.run<{ id: number; rank: number }>(
    'select id, rank from groups where project_id = $1 and board_id = $2',
    [project.id, board.id ?? null],
  )
  const ranks = new Map(rows.map(({ id, rank }) => [id, rank]))
  const groups = project.groups.filter((group) => group.board === board)
  for (const group of groups) group.rank = ranks.get(group.id as number)
  assert.deepEqual(
    shownOn(project, board).map(({ id }) => id),
    expected.map(({ id }) => id),
  )
}

const reorderGroups: LocalStep = async (world, project, [a, b]) => {
  const board = pick(live(project.boards), a)
  if (!board) return undefined
  const before = shownOn(project, board)
  if (before.length < 2) return undefined
  const turn = (b % (before.length - 1)) + 1
  const after = [...before.slice(turn), ...before.slice(0, turn)]
  const groups = after.map(({ id }, index) => ({ id, position: index + 1 }))
  await expectStatus(world, 'groups/reorder', { groups }, project, 200)
  board.hasOwnOrder = true
  await learnGroups(world, project, board, after)
  return `order of groups ${after.map(({ id }) => id)}`
}

const createGroup: LocalStep = async (world, project, [a]) => {
  const board = pick(live(project.boards), a)
  if (!board) return undefined
  const before = shownOn(project, board)
  const made = await expectStatus(world, 'groups/create', { board_id: board.id, title: 'own' }, project, 201)
  const { id } = made['group'] as unknown as { id: number }
  const isNew = { isArchived: false, isDeleted: false }
  const group: Group = { id, board, base: undefined, fields: groupNamed('own'), rank: undefined, ...isNew }
  project.groups.push(group)
  await learnGroups(world, project, board, [...before, group])
  return `new group ${id} of board ${board.id}`
}

const archiveGroup: LocalStep = async (world, project, [a]) => {
  const group = pick(live(project.groups), a)
  if (!group) return undefined
  const verb = group.isArchived ? 'unarchive' : 'archive'
  await expectStatus(world, `groups/${verb}`, { id: group.id }, project, 200)
  group.isArchived = !group.isArchived
  return `${verb} group ${group.id}`
}

const deleteGroup: LocalStep = async (world, project, [a]) => {
  const group = pick(live(project.groups), a)
  if (!group) return undefined
  await expectStatus(world, 'groups/delete', { id: group.id }, project, 200)
  group.isDeleted = true
  deleteCards(inGroup(project, group))
  return `delete group ${group.id}`
}

const deleteBoard: LocalStep = async (world, project, [a]) => {
  const board = pick(
    live(project.boards).filter(({ base }) => base),
    a,
  )
  if (!board) return undefined
  await expectStatus(world, 'boards/delete', { id: board.id }, project, 200)
  board.isDeleted = true
  for (const group of live(project.groups).filter((group) => group.board === board)) {
    group.isDeleted = true
    deleteCards(inGroup(project, group))
  }
  return `delete board ${board.id}`
}

const renameBoard: LocalStep = async (world, project, [a, b]) => {
  const board = pick(live(project.boards), a)
  if (!board) return undefined
  const change = { title: pick(words, b) as string }
  await expectStatus(world, 'boards/update', { id: board.id, ...change }, project, 200)
  board.fields = { ...board.fields, ...change }
  return `board ${board.id}: title = ${change.title}`
}

/** Gaining a tool brings its templates; losing it takes nothing away. */
const changeTools: LocalStep = async (world, project, [a]) => {
  const tools = a % 2 === 0 ? ['shop'] : []
  await world.db.transaction(async (queries) => {
    const { sql } = queries
    await keepingCoverage(queries, { projectIds: [project.id], boardId: null }, async () => {
      await sql`update projects set tool_keys = ${sql.json(tools)} where id = ${project.id}`
      if (tools.length > 0) await receiveMasters(queries, project.id)
    })
  })
  project.tools = tools
  if (tools.length > 0) receiveAll(world, project)
  return `tools ${JSON.stringify(tools)}`
}

export const localSteps = {
  editCard: inProject(editCard),
  dismissCard: inProject(dismissCard),
  dismissAll: inProject(dismissAll),
  moveCard: inProject(moveCard),
  createCard: inProject(createCard),
  comment: inProject(comment),
  deleteCard: inProject(deleteCard),
  restoreCard: inProject(restoreCard),
  resetCard: inProject(resetCard),
  stopUpdates: inProject(stopUpdates),
  editGroup: inProject(editGroup),
  reorderGroups: inProject(reorderGroups),
  createGroup: inProject(createGroup),
  archiveGroup: inProject(archiveGroup),
  deleteGroup: inProject(deleteGroup),
  deleteBoard: inProject(deleteBoard),
  renameBoard: inProject(renameBoard),
  changeTools: inProject(changeTools),
} satisfies Record<string, Step>
