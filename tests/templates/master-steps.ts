// What a superadmin does with the masters; each step does it in the database and in the model.
import assert from 'node:assert/strict'
import { groupFields } from '#templates/rules.ts'
import { groupEdit, pick, type Step } from './local-steps.ts'
import {
  deleteCards,
  hasAccess,
  inOrder,
  isSameBoard,
  isSameCard,
  isSameGroup,
  live,
  type MasterBoard,
  type MasterCard,
  type MasterGroup,
  type Published,
  publish,
  publishCard,
  receive,
} from './model.ts'
import { addProject, call, groupNamed, noteRank, type World } from './world.ts'

type MasterStep = (
  world: World,
  master: MasterBoard,
  choice: readonly [number, number, number],
) => Promise<string | undefined>

export const onBoard =
  (step: MasterStep): Step =>
  async (world, [first, ...rest]) => {
    // The master that needs a tool has more content and gets more steps.
    const master = world.masters[first % 3 === 0 ? 1 : 0] as MasterBoard
    const words = await step(world, master, rest)
    return words && `${words} (master ${master.id})`
  }

async function expectStatus(world: World, path: string, input: object, status: number) {
  const answer = await call(world, `admin/${path}`, input)
  assert.equal(answer.status, status, `${path} ${JSON.stringify(input)}`)
  return answer.data
}

function revise(master: MasterBoard, changed: { cards?: MasterCard[]; groups?: MasterGroup[] }) {
  const revision = ++master.newestRevision
  for (const card of changed.cards ?? []) master.cards.set(card.id, { ...card, revision })
  for (const group of changed.groups ?? []) master.groups.set(group.id, { ...group, revision })
}

/** The masters whose rank differs from the model's. */
async function changedRanks(world: World, master: MasterBoard, kind: 'groups' | 'cards') {
  const rows = await world.db.run<{ id: number; rank: number; parent: number }>(
    kind === 'groups'
      ? 'select id, rank, board_id as parent from master_groups where board_id = $1 and deleted_at is null'
      : 'select id, rank, group_id as parent from master_cards where board_id = $1 and deleted_at is null',
    [master.id],
  )
  const isChanged = ({ id, rank, parent }: (typeof rows)[number]) =>
    master[kind].get(id)?.rank !== rank || (kind === 'cards' && master.cards.get(id)?.groupId !== parent)
  const changed = rows.filter(isChanged)
  for (const { id, rank, parent } of changed) noteRank(world, `${kind} of ${parent}`, rank, id)
  return changed
}

const ids = (things: readonly { id: number }[]) => things.map(({ id }) => id)
const words = ['a', 'b', 'c']
const optionalWords = [null, ...words]
const edits = {
  title: words,
  description: optionalWords,
  short_description: optionalWords,
  priority: ['low', 'normal', 'high', 'urgent'],
  evaluation_check: optionalWords,
  needs_confirmation: [true, false],
  tour_key: optionalWords,
} as const

const editCard: MasterStep = async (world, master, [a, b, c]) => {
  const card = pick(live(master.cards.values()), a)
  const name = pick(Object.keys(edits) as (keyof typeof edits)[], b) as keyof typeof edits
  if (!card) return undefined
  // An identifier of this card alone is included.
  const change = {
    [name]: pick<string | boolean | null>(edits[name], c) as string | boolean | null,
    unique_identifier: pick([null, `${card.id}-a`, `${card.id}-b`], c),
  }
  await expectStatus(world, 'master-cards/update', { id: card.id, ...change }, 200)
  const fields = { ...card.fields, ...change } as MasterCard['fields']
  const isChanged = Object.entries(fields).some(([field, value]) => card.fields[field as 'title'] !== value)
  if (isChanged) revise(master, { cards: [{ ...card, fields }] })
  return `master card ${card.id}: ${JSON.stringify(change)}`
}

const activateCard: MasterStep = async (world, master, [a, b]) => {
  const card = pick(live(master.cards.values()), a)
  if (!card) return undefined
  const change = { isActive: b % 2 === 0, status: b % 3 === 0 ? 'closed' : 'open' }
  const input = { id: card.id, is_active: change.isActive, status: change.status }
  await expectStatus(world, 'master-cards/update', input, 200)
  if (change.isActive !== card.isActive || change.status !== card.status)
    revise(master, { cards: [{ ...card, ...change }] })
  return `master card ${card.id}: ${JSON.stringify(change)}`
}

const cardsIn = (master: MasterBoard, groupId: number) =>
  inOrder([...master.cards.values()].filter((card) => card.groupId === groupId))

const moveCard: MasterStep = async (world, master, [a, b, c]) => {
  const card = pick(live(master.cards.values()), a)
  const groupId = (b % 2 === 0 && card?.groupId) || pick(live(master.groups.values()), b)?.id
  if (!card || groupId === undefined) return undefined
  const before = cardsIn(master, groupId)
  const others = before.filter(({ id }) => id !== card.id)
  const position = (c % (others.length + 2)) + 1
  await expectStatus(world, 'master-cards/move', { id: card.id, group_id: groupId, position }, 200)
  const expected = ids(others.toSpliced(Math.min(position, others.length + 1) - 1, 0, card))
  const isThere = card.groupId === groupId && ids(before).join() === expected.join()
  const changed = await changedRanks(world, master, 'cards')
  // Others may get new ranks instead of this card, if projects see fewer moves that way.
  assert.equal(changed.length > 0, !isThere)
  const moved = changed.map(({ id, rank, parent }) => {
    const before = master.cards.get(id) as MasterCard
    return { ...before, rank, groupId: parent }
  })
  if (!isThere) {
    revise(master, { cards: moved })
    for (const id of [card.id, ...ids(moved)]) forgetNeighbor(id)
  }
  assert.deepEqual(ids(cardsIn(master, groupId)), expected)
  return `master card ${card.id} to place ${position} of group ${groupId}${moved.length > 1 ? ', all moved' : ''}`
}

const createCard: MasterStep = async (world, master, [a, b, c]) => {
  const group = pick(live(master.groups.values()), a)
  if (!group) return undefined
  const isActive = b % 4 !== 0
  const isPushed = c % 2 === 0
  const input = { group_id: group.id, title: 'new', is_active: isActive, push_to_projects: isPushed }
  const made = await expectStatus(world, 'master-cards/create', input, 201)
  const { id, sort_order: sortOrder } = made['card'] as unknown as { id: number; sort_order: number }
  const before = ids(cardsIn(master, group.id))
  const [row] = await changedRanks(world, master, 'cards')
  const texts = { description: null, short_description: null, evaluation_check: null, tour_key: null }
  const card: MasterCard = {
    ...{ id, groupId: group.id, rank: row?.rank as number, sortOrder, status: 'open', isActive },
    fields: {
      ...texts,
      title: 'new',
      priority: 'normal',
      unique_identifier: null,
      needs_confirmation: false,
    },
    ...{ isDeleted: false, revision: 0 },
  }
  revise(master, { cards: [card] })
  assert.deepEqual(ids(cardsIn(master, group.id)), [...before, id])
  const isReceived = isPushed && isActive && master.isActive
  if (isReceived) publishCard(master, id)
  const changed = isReceived ? receiveInAll(world, master, id).changed : 0
  assert.equal(made['projects_updated'], changed)
  return `new master card ${id} in group ${group.id}${isActive ? '' : ', inactive'}${isPushed ? ', pushed' : ''}`
}

/** Plans the deletion of a card from the template and the projects, and applies it. */
async function planDeletion(world: World, master: MasterBoard, cardId: number) {
  const input = { board_id: master.id, card_id: cardId, delete_from_projects: true }
  const { rollout } = await expectStatus(world, 'rollouts/plan', input, 201)
  const { id } = rollout as unknown as { id: number }
  await world.rollouts.finish(id)
  await expectStatus(world, 'rollouts/apply', { id }, 200)
  await world.rollouts.finish(id)
  const { rollout: done } = await expectStatus(world, 'rollouts/get', { id }, 200)
  const { plan, counts } = done as unknown as { plan: { changed: number }; counts: Record<string, number> }
  const having = world.projects.filter(({ cards }) => live(cards).some((copy) => copy.base?.id === cardId))
  assert.deepEqual(
    [plan.changed, counts['changed'], counts['differs']],
    [having.length, having.length, 0],
    `planned deletion of master card ${cardId}`,
  )
}

const deleteCard: MasterStep = async (world, master, [a, b]) => {
  const card = pick(live(master.cards.values()), a)
  if (!card) return undefined
  const isForAll = b % 2 === 0
  const isPlanned = b % 4 === 0 && master.versions.length > 0
  if (isPlanned) await planDeletion(world, master, card.id)
  else await expectStatus(world, 'master-cards/delete', { id: card.id, delete_from_projects: isForAll }, 200)
  rememberNeighbors(master, card)
  revise(master, { cards: [{ ...card, isDeleted: true }] })
  if (isForAll && master.versions.at(-1)?.cards.has(card.id)) publishCard(master, card.id)
  for (const project of isForAll ? world.projects : [])
    deleteCards(
      live(project.cards).filter((copy) => copy.base?.id === card.id),
      { isWithdrawn: true },
    )
  return `delete master card ${card.id}${isForAll ? ' with its copies' : ''}`
}

const restoreCard: MasterStep = async (world, master, [a]) => {
  const card = pick(
    [...master.cards.values()].filter(({ isDeleted }) => isDeleted),
    a,
  )
  if (!card) return undefined
  const isAllowed = master.groups.get(card.groupId)?.isDeleted === false
  await expectStatus(world, 'master-cards/restore', { id: card.id }, isAllowed ? 200 : 400)
  if (!isAllowed) return `restore master card ${card.id}: refused`
  // Its rank is new if the whole list was rewritten meanwhile.
  const [row] = await changedRanks(world, master, 'cards')
  revise(master, { cards: [{ ...card, isDeleted: false, rank: row?.rank ?? card.rank }] })
  const order = ids(cardsIn(master, card.groupId))
  const place = order.indexOf(card.id)
  const known = neighbors.get(card.id)
  for (const id of known?.before ?? []) assert.ok(order.indexOf(id) < place, `${id} comes before ${card.id}`)
  for (const id of known?.after ?? [])
    assert.ok(!order.includes(id) || order.indexOf(id) > place, `${id} comes after ${card.id}`)
  return `restore master card ${card.id}`
}

/** The cards before and after a deleted card in its list, except those moved since. */
const neighbors = new Map<number, { before: Set<number>; after: Set<number> }>()

function rememberNeighbors(master: MasterBoard, card: MasterCard) {
  const list = cardsIn(master, card.groupId)
  neighbors.set(card.id, {
    before: new Set(ids(list.filter(({ rank }) => rank < card.rank))),
    after: new Set(ids(list.filter(({ rank }) => rank > card.rank))),
  })
}

function forgetNeighbor(id: number) {
  for (const { before, after } of neighbors.values()) for (const list of [before, after]) list.delete(id)
}

const createGroup: MasterStep = async (world, master) => {
  const made = await expectStatus(world, 'master-groups/create', { board_id: master.id, title: 'new' }, 201)
  const { id } = made['group'] as unknown as { id: number }
  const before = ids(inOrder(master.groups.values()))
  const [row] = await changedRanks(world, master, 'groups')
  const fields = groupNamed('new')
  revise(master, { groups: [{ id, rank: row?.rank as number, fields, isDeleted: false, revision: 0 }] })
  assert.deepEqual(ids(inOrder(master.groups.values())), [...before, id])
  return `new master group ${id}`
}

const editGroup: MasterStep = async (world, master, [a, b, c]) => {
  const group = pick(live(master.groups.values()), a)
  if (!group) return undefined
  const change = groupEdit(b, c)
  await expectStatus(world, 'master-groups/update', { id: group.id, ...change }, 200)
  const fields = { ...group.fields, ...change } as MasterGroup['fields']
  if (groupFields.some((name) => fields[name] !== group.fields[name]))
    revise(master, { groups: [{ ...group, fields }] })
  return `master group ${group.id}: ${JSON.stringify(change)}`
}

const reorderGroups: MasterStep = async (world, master, [a]) => {
  const before = inOrder(master.groups.values())
  if (before.length < 2) return undefined
  const turn = (a % (before.length - 1)) + 1
  const after = ids([...before.slice(turn), ...before.slice(0, turn)])
  const groups = after.map((id, index) => ({ id, position: index + 1 }))
  await expectStatus(world, 'master-groups/reorder', { board_id: master.id, groups }, 200)
  const changed = await changedRanks(world, master, 'groups')
  revise(master, {
    groups: changed.map(({ id, rank }) => ({ ...(master.groups.get(id) as MasterGroup), rank })),
  })
  assert.deepEqual(ids(inOrder(master.groups.values())), after)
  return `order of master groups ${after}`
}

const deleteGroup: MasterStep = async (world, master, [a]) => {
  const group = pick(live(master.groups.values()), a)
  if (!group) return undefined
  await expectStatus(world, 'master-groups/delete', { id: group.id }, 200)
  const cards = cardsIn(master, group.id).map((card) => ({ ...card, isDeleted: true }))
  deletedWith.set(group.id, new Set(ids(cards)))
  revise(master, { groups: [{ ...group, isDeleted: true }], cards })
  return `delete master group ${group.id}`
}

/** The cards that were last deleted with each group. */
const deletedWith = new Map<number, Set<number>>()

const restoreGroup: MasterStep = async (world, master, [a]) => {
  const group = pick(
    [...master.groups.values()].filter(({ isDeleted }) => isDeleted),
    a,
  )
  if (!group) return undefined
  await expectStatus(world, 'master-groups/restore', { id: group.id }, 200)
  const [ranked] = await changedRanks(world, master, 'groups')
  const ranks = new Map((await changedRanks(world, master, 'cards')).map(({ id, rank }) => [id, rank]))
  const cards = [...master.cards.values()].filter(
    ({ id, groupId, isDeleted }) => isDeleted && groupId === group.id && deletedWith.get(group.id)?.has(id),
  )
  revise(master, {
    groups: [{ ...group, isDeleted: false, rank: ranked?.rank ?? group.rank }],
    cards: cards.map((card) => ({ ...card, isDeleted: false, rank: ranks.get(card.id) ?? card.rank })),
  })
  return `restore master group ${group.id} with ${cards.length} cards`
}

const publishDraft: MasterStep = async (world, master) => {
  const isNew = publish(master)
  await expectStatus(world, 'master-boards/publish', { id: master.id, note: 'x' }, isNew ? 201 : 400)
  return isNew ? `publish version ${master.versions.length}` : 'publish: nothing'
}

const restoreVersion: MasterStep = async (world, master, [a]) => {
  const number = (a % master.versions.length) + 1
  await expectStatus(world, 'master-boards/versions/restore', { board_id: master.id, number }, 200)
  const { board, groups: oldGroups, cards: oldCards } = pick(master.versions, number - 1) as Published
  const isBoardChanged = !isSameBoard(board.fields, master.fields)
  const groups = [...master.groups.values()].flatMap((group) => {
    const old = oldGroups.get(group.id)
    if (isSameGroup(group, old)) return []
    return [old && !old.isDeleted ? old : { ...group, isDeleted: true }]
  })
  const cards = [...master.cards.values()].flatMap((card) => {
    const old = oldCards.get(card.id)
    if (isSameCard(card, old)) return []
    return [old && !old.isDeleted ? old : { ...card, isDeleted: true }]
  })
  for (const { id, isDeleted } of groups)
    if (isDeleted)
      deletedWith.set(id, new Set(ids(cards.filter((card) => card.isDeleted && card.groupId === id))))
  if (isBoardChanged || groups.length > 0 || cards.length > 0) revise(master, { groups, cards })
  if (isBoardChanged) Object.assign(master, { fields: board.fields, revision: master.newestRevision })
  neighbors.clear()
  return `restore version ${number}`
}

const editBoard: MasterStep = async (world, master, [a, b]) => {
  const name = pick(['title', 'description', 'icon', 'color'] as const, a) as 'title'
  const value = pick(words, b) as string
  await expectStatus(world, 'master-boards/update', { id: master.id, [name]: value }, 200)
  if (master.fields[name] !== value) {
    revise(master, {})
    Object.assign(master, { fields: { ...master.fields, [name]: value }, revision: master.newestRevision })
  }
  return `master board: ${name} = ${value}`
}

const activateBoard: MasterStep = async (world, master, [a]) => {
  const isActive = a % 3 !== 0
  await expectStatus(world, 'master-boards/update', { id: master.id, is_active: isActive }, 200)
  if (isActive !== master.isActive) {
    revise(master, {})
    Object.assign(master, { isActive, revision: master.newestRevision })
  }
  return `master board: is_active = ${isActive}`
}

/** Rolls out in the model, and returns the changed boards and the counts of the response. */
export function receiveInAll(world: World, master: MasterBoard, cardId?: number, among = world.projects) {
  const reached = among.filter((project) => hasAccess(project, master))
  const changes = reached.flatMap((project) =>
    [...receive(project, master, cardId)].map((board) => ({ project, board })),
  )
  world.rolledOut = { master, cardId: cardId ?? null, reached, changes }
  return {
    reached,
    skipped: among.length - reached.length,
    changed: new Set(changes.map(({ project }) => project)).size,
  }
}

const sync: MasterStep = async (world, master) => {
  const answer = await expectStatus(
    world,
    'master-boards/sync',
    { board_id: master.id },
    master.isActive ? 200 : 400,
  )
  if (!master.isActive) return 'sync: refused'
  publish(master)
  const { reached, skipped } = receiveInAll(world, master)
  const synced = reached.filter(({ boards }) => live(boards).some(({ base }) => base?.id === master.id))
  assert.deepEqual(answer, { synced_count: synced.length, skipped_no_access: skipped })
  return 'sync'
}

const pushCard: MasterStep = async (world, master, [a]) => {
  const card = pick(live(master.cards.values()), a)
  if (!card) return undefined
  const isAllowed = master.isActive && card.isActive
  const answer = await expectStatus(world, 'master-cards/push', { card_id: card.id }, isAllowed ? 200 : 400)
  if (!isAllowed) return `push of card ${card.id}: refused`
  publishCard(master, card.id)
  assert.deepEqual(answer, { projects_updated: receiveInAll(world, master, card.id).changed })
  return `push of card ${card.id}`
}

const newProject: Step = async (world, [a]) => {
  if (world.projects.length > 3) return undefined
  await addProject(world, a % 3 === 0 ? [] : ['shop'])
  return `new project ${world.projects.at(-1)?.id}`
}

export const masterSteps = {
  editMasterCard: onBoard(editCard),
  activateMasterCard: onBoard(activateCard),
  moveMasterCard: onBoard(moveCard),
  createMasterCard: onBoard(createCard),
  deleteMasterCard: onBoard(deleteCard),
  restoreMasterCard: onBoard(restoreCard),
  restoreMasterGroup: onBoard(restoreGroup),
  publishDraft: onBoard(publishDraft),
  restoreVersion: onBoard(restoreVersion),
  createMasterGroup: onBoard(createGroup),
  editMasterGroup: onBoard(editGroup),
  reorderMasterGroups: onBoard(reorderGroups),
  deleteMasterGroup: onBoard(deleteGroup),
  editMasterBoard: onBoard(editBoard),
  activateMasterBoard: onBoard(activateBoard),
  newProject,
} satisfies Record<string, Step>

export const pushSteps = {
  sync: onBoard(sync),
  pushCard: onBoard(pushCard),
} satisfies Record<string, Step>
