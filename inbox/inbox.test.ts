import assert from 'node:assert/strict'
import test from 'node:test'
import pino from 'pino'
import { connect } from '#database/connect.ts'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { untilFollowed } from '#tests/followed-events.ts'
import { createMaster, type Receiver } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'
import { catchUp, startFollower } from './follower.ts'
import { followEvents } from './following-events.ts'
import { forgetItems } from './forgetting.ts'
import { remind } from './reminding.ts'

const service = await startTestService()
const base = '/services/operations/v1/operations'
const { sql } = service.db

type Scene = Awaited<ReturnType<typeof createScene>>

async function createScene({ cards = 1 } = {}) {
  const scene = await createBoard(service, { cards })
  const [cardId] = scene.cardIds as [number]
  const { viewer, owner } = scene.members
  return { ...scene, cardId, viewer: service.client(viewer.token), owner: service.client(owner.token) }
}

const itemsOf = async (client: Scene['member']) =>
  (await client.call(`${base}/inbox/list`, {})).items.map(({ reason, card_id, count, is_read }) => [
    ...[reason, card_id, count],
    ...(is_read ? ['read'] : []),
  ])

const settled = (projectId: number) => untilFollowed(service.db, projectId)

test('a person is told of a card that is assigned to them, also at its creation, but not of their own doing', async () => {
  const { member, admin, members, cardId, groupIds, projectId } = await createScene()
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: members.member.id })
  const { card } = await admin.call(`${base}/cards/create`, {
    title: 'Made for you',
    group_id: groupIds[0] as number,
    owner_id: members.member.id,
  })
  await member.call(`${base}/cards/create`, {
    title: 'Own',
    group_id: groupIds[0] as number,
    owner_id: members.member.id,
  })
  await settled(projectId)
  assert.deepEqual(await itemsOf(member), [
    ['assigned', card.id, 1],
    ['assigned', cardId, 1],
  ])
  assert.deepEqual(await itemsOf(admin), [])
  const [item] = (await member.call(`${base}/inbox/list`, { limit: 1 })).items
  assert.deepEqual(
    [item?.actor_id, item?.card_title, item?.board_title],
    [members.admin.id, 'Made for you', 'Board'],
  )
})

test('comments tell who follows the card: creator, assignee and commenters; one item counts them until it is read', async () => {
  const { member, admin, owner, viewer, members, cardId, projectId } = await createScene()
  const say = (client: Scene['member'], comment: string) =>
    client.call(`${base}/comments/create`, { card_id: cardId, comment })
  await say(admin, 'One')
  await say(owner, 'Two')
  await settled(projectId)
  assert.deepEqual(await itemsOf(member), [['commented', cardId, 2]])
  assert.deepEqual(await itemsOf(admin), [['commented', cardId, 1]])
  assert.deepEqual(await itemsOf(viewer), [])
  const { items } = await member.call(`${base}/inbox/list`, {})
  assert.deepEqual([items[0]?.excerpt, items[0]?.actor_id], ['Two', members.owner.id])
  assert.deepEqual(await member.call(`${base}/inbox/mark-card-read`, { card_id: cardId }), { read_count: 1 })
  assert.deepEqual(await itemsOf(member), [['commented', cardId, 2, 'read']])
  await say(admin, 'Three')
  await settled(projectId)
  assert.deepEqual(await itemsOf(member), [['commented', cardId, 1]])
})

test('following, unfollowing and muting decide who is told; assignments reach those who do not follow, nothing those who mute', async () => {
  const { member, admin, viewer, members, cardId, projectId } = await createScene()
  const read = async (client: Scene['member']) => {
    const { is_following, is_muted } = await client.call(`${base}/cards/get`, { id: cardId })
    return { is_following, is_muted }
  }
  assert.deepEqual(await read(member), { is_following: true, is_muted: false })
  assert.deepEqual(await read(viewer), { is_following: false, is_muted: false })
  assert.deepEqual(await viewer.call(`${base}/cards/follow`, { id: cardId }), {
    is_following: true,
    is_muted: false,
  })
  await member.call(`${base}/cards/unfollow`, { id: cardId })
  await admin.call(`${base}/comments/create`, { card_id: cardId, comment: 'One' })
  await admin.call(`${base}/cards/update`, { id: cardId, status: 'blocked' })
  await settled(projectId)
  assert.deepEqual(await itemsOf(member), [])
  assert.deepEqual(await itemsOf(viewer), [
    ['status_changed', cardId, 1],
    ['commented', cardId, 1],
  ])
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: members.member.id })
  await settled(projectId)
  assert.deepEqual(await itemsOf(member), [['assigned', cardId, 1]])

  assert.deepEqual(await viewer.call(`${base}/cards/mute`, { id: cardId }), {
    is_following: true,
    is_muted: true,
  })
  await viewer.call(`${base}/inbox/mark-all-read`, {})
  await admin.call(`${base}/comments/create`, { card_id: cardId, comment: 'Two' })
  await settled(projectId)
  assert.deepEqual(await viewer.call(`${base}/inbox/unread`), { unread_count: 0 })
  await viewer.call(`${base}/cards/unmute`, { id: cardId })
  await admin.call(`${base}/comments/create`, { card_id: cardId, comment: 'Three' })
  await settled(projectId)
  assert.deepEqual(await viewer.call(`${base}/inbox/unread`), { unread_count: 1 })
})

test('a mention tells once, also without following; editing does not repeat it, and a name of a stranger is text', async () => {
  const { admin, viewer, members, cardId, projectId } = await createScene()
  const stranger = await service.addUser({})
  const { comment } = await admin.call(`${base}/comments/create`, {
    card_id: cardId,
    comment: '@User and @stranger',
    mentions: [members.viewer.id, stranger.id, members.viewer.id],
  })
  assert.deepEqual(
    comment.mentions.map(({ user_id }) => user_id),
    [members.viewer.id],
  )
  await settled(projectId)
  assert.deepEqual(await itemsOf(viewer), [['mentioned', cardId, 1]])
  await viewer.call(`${base}/inbox/mark-all-read`, {})
  const edited = await admin.call(`${base}/comments/update`, { id: comment.id, comment: 'Edited' })
  assert.deepEqual(edited.comment.mentions, comment.mentions)
  const none = { id: comment.id, comment: 'Again', mentions: [] }
  assert.deepEqual((await admin.call(`${base}/comments/update`, none)).comment.mentions, [])
  const back = { id: comment.id, comment: 'And back', mentions: [members.viewer.id, members.owner.id] }
  await admin.call(`${base}/comments/update`, back)
  await settled(projectId)
  assert.deepEqual(await itemsOf(viewer), [['mentioned', cardId, 1, 'read']])
  assert.deepEqual(await itemsOf(service.client(members.owner.token)), [['mentioned', cardId, 1]])
  // Who was mentioned follows the card.
  await admin.call(`${base}/comments/create`, { card_id: cardId, comment: 'More' })
  await settled(projectId)
  assert.deepEqual(await viewer.call(`${base}/inbox/unread`), { unread_count: 1 })
})

test('a mention stays when the person gets another name, under the name that the text has', async () => {
  const { admin, members, cardId } = await createScene()
  const [named] = await sql<{ name: string }[]>`select name from users where id = ${members.viewer.id}`
  const mentions = [members.viewer.id]
  const { comment } = await admin.call(`${base}/comments/create`, {
    card_id: cardId,
    comment: 'One',
    mentions,
  })
  await sql`update users set name = 'Another Name' where id = ${members.viewer.id}`
  const { comment: edited } = await admin.call(`${base}/comments/update`, {
    id: comment.id,
    comment: 'Two',
    mentions,
  })
  assert.deepEqual(edited.mentions, [{ user_id: members.viewer.id, name: named?.name }])
})

test('a mention in a description tells once', async () => {
  const { admin, viewer, members, cardId, projectId } = await createScene()
  const mentions = [members.viewer.id]
  await admin.call(`${base}/cards/update`, { id: cardId, description: 'One', mentions })
  await admin.call(`${base}/cards/update`, { id: cardId, description: 'Two', mentions })
  await settled(projectId)
  assert.deepEqual(await itemsOf(viewer), [['mentioned', cardId, 1]])
  assert.deepEqual(
    (await admin.call(`${base}/cards/get`, { id: cardId })).mentions.map(({ user_id }) => user_id),
    mentions,
  )
})

test('a reply tells the author of the comment, also if they no longer follow the card', async () => {
  const { admin, viewer, owner, members, cardId, projectId } = await createScene()
  await sql`
    insert into comments (project_id, card_id, user_id, comment) values (${projectId}, ${cardId}, ${members.viewer.id}, 'A question')`
  await viewer.call(`${base}/cards/unfollow`, { id: cardId })
  await owner.call(`${base}/cards/follow`, { id: cardId })
  const { comments } = await admin.call(`${base}/comments/list`, { card_id: cardId })
  const parent = comments[0]?.id as number
  for (const comment of ['An answer', 'Another'])
    await admin.call(`${base}/comments/create`, { card_id: cardId, comment, parent_comment_id: parent })
  await settled(projectId)
  assert.deepEqual(await itemsOf(viewer), [['replied', cardId, 2]])
  assert.deepEqual(await itemsOf(owner), [['commented', cardId, 2]])
})

test('cards that come back with a member whose removal is undone are no new assignments', async () => {
  const { member, members, owner, cardId, projectId } = await createScene()
  await member.call(`${base}/cards/update`, { id: cardId, owner_id: members.member.id })
  await owner.call('/services/identity/v1/members/remove', { user_id: members.member.id })
  await owner.call('/services/identity/v1/members/restore', { user_id: members.member.id })
  await settled(projectId)
  const { card } = await member.call(`${base}/cards/get`, { id: cardId })
  assert.equal(card.owner_id, members.member.id)
  assert.deepEqual(await itemsOf(member), [])
})

test('whoever invited somebody is told that they accepted, while they are a member', async () => {
  const { admin, owner, members, projectId } = await createScene()
  const people = [await service.addUser({}), await service.addUser({})]
  for (const { id, email, token } of people) {
    const { secret, hash } = newInvitationSecret(projectId)
    await sql`
      insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
      values (${projectId}, ${email}, 'member', ${hash}, ${members.admin.id}, now() + interval '1 day')`
    await service.client(token).call('/services/identity/v1/invitations/accept', { token: secret })
    assert.ok(id)
  }
  await settled(projectId)
  const told = async () =>
    (await admin.call(`${base}/inbox/list`, {})).items.map(({ reason, actor_id }) => [reason, actor_id])
  const [first, second] = people
  assert.deepEqual(await told(), [
    ['invitation_accepted', second?.id],
    ['invitation_accepted', first?.id],
  ])
  assert.deepEqual(await itemsOf(owner), [])
  await admin.call('/services/identity/v1/members/remove', { user_id: first?.id as number })
  assert.deepEqual(await told(), [['invitation_accepted', second?.id]])
})

test('a reason that a person has turned off makes no item; another one for the same event does', async () => {
  const { admin, member, members, cardId, projectId } = await createScene()
  const update = '/services/identity/v1/notifications/update'
  await member.call(update, { mentioned: 'off', due_soon: 'off', trial_ending: 'off' })
  const comment = { card_id: cardId, comment: 'Look', mentions: [members.member.id] }
  await admin.call(`${base}/comments/create`, comment)
  const due_date = new Date(Date.now() + 3_600_000).toISOString()
  await member.call(`${base}/cards/update`, { id: cardId, owner_id: members.member.id, due_date })
  await settled(projectId)
  await remind(service.db, { tell: () => {} })
  assert.deepEqual(await itemsOf(member), [['commented', cardId, 1]])
  await member.call(update, { due_soon: 'app' })
  await remind(service.db, { tell: () => {} })
  assert.deepEqual(await itemsOf(member), [
    ['due_soon', cardId, 1],
    ['commented', cardId, 1],
  ])
})

test('of several reasons for one event, a person is told the first', async () => {
  const { admin, member, members, cardId, projectId } = await createScene()
  const comment = { card_id: cardId, comment: 'Look', mentions: [members.member.id] }
  await admin.call(`${base}/comments/create`, comment)
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: members.member.id, status: 'blocked' })
  await settled(projectId)
  assert.deepEqual(await itemsOf(member), [
    ['assigned', cardId, 1],
    ['mentioned', cardId, 1],
  ])
})

test('nobody is told of what they cannot see: deleted cards, archived groups, hidden boards, former members', async () => {
  const { admin, member, members, boardId, groupIds, cardIds, projectId } = await createScene({ cards: 3 })
  const [deleted, archived, shown] = cardIds as [number, number, number]
  await admin.call(`${base}/cards/move`, { id: archived, group_id: groupIds[1] as number, position: 1 })
  for (const id of cardIds) await admin.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  await settled(projectId)
  assert.equal((await itemsOf(member)).length, 3)
  await admin.call(`${base}/cards/delete`, { id: deleted })
  await admin.call(`${base}/groups/archive`, { id: groupIds[1] as number })
  assert.deepEqual(await itemsOf(member), [['assigned', shown, 1]])
  assert.deepEqual(await member.call(`${base}/inbox/unread`), { unread_count: 1 })
  await admin.call(`${base}/boards/update`, { id: boardId, is_active: false })
  assert.deepEqual(await itemsOf(member), [])
  await admin.call(`${base}/boards/update`, { id: boardId, is_active: true })
  await admin.call('/services/identity/v1/members/remove', { user_id: members.viewer.id })
  await sql`insert into card_follows values (${projectId}, ${shown}, ${members.viewer.id}, true, false)`
  await admin.call(`${base}/comments/create`, { card_id: shown, comment: 'Internal' })
  await settled(projectId)
  const told = await sql`
    select from inbox_items where project_id = ${projectId} and user_id = ${members.viewer.id}`
  assert.equal(told.length, 0)
})

test('pages of the inbox end, and marking as read leaves newer items alone', async () => {
  const { admin, member, members, cardIds, projectId } = await createScene({ cards: 4 })
  for (const id of cardIds) await admin.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  await settled(projectId)
  const first = await member.call(`${base}/inbox/list`, { limit: 3 })
  const rest = await member.call(`${base}/inbox/list`, { limit: 3, cursor: first.next_cursor as string })
  assert.deepEqual(
    [...first.items, ...rest.items].map(({ card_id }) => card_id),
    cardIds.toReversed(),
  )
  assert.equal(rest.next_cursor, null)
  const { status } = await member.attempt(`${base}/inbox/list`, { cursor: 'x' })
  assert.equal(status, 422)
  const [newest, second] = first.items
  assert.deepEqual(await member.call(`${base}/inbox/mark-all-read`, { up_to: second?.id as number }), {
    read_count: 3,
  })
  assert.deepEqual(
    (await member.call(`${base}/inbox/list`, { is_unread: true })).items.map(({ id }) => id),
    [newest?.id],
  )
  // It happens again, so the id is another one.
  await admin.call(`${base}/cards/update`, { id: newest?.card_id as number, owner_id: null })
  await admin.call(`${base}/cards/update`, { id: newest?.card_id as number, owner_id: members.member.id })
  await settled(projectId)
  assert.deepEqual(await member.call(`${base}/inbox/mark-read`, { items: [newest?.id as number] }), {
    read_count: 0,
  })
  const [again] = (await member.call(`${base}/inbox/list`, {})).items
  assert.deepEqual(await admin.call(`${base}/inbox/mark-read`, { items: [again?.id as number] }), {
    read_count: 0,
  })
  assert.deepEqual(await member.call(`${base}/inbox/mark-read`, { items: [again?.id as number] }), {
    read_count: 1,
  })
})

test('the event stream tells the person, and only them, on every instance', async () => {
  const { admin, member, members, cardId } = await createScene()
  const beside = await startTestService({}, service.address)
  const streams = await Promise.all([
    openStream(service, members.member.token),
    openStream(beside, members.member.token),
    openStream(beside, members.admin.token),
  ])
  const [here, there, others] = streams
  const heard = (stream: typeof here) => stream.messages.filter(({ event }) => event === 'inbox').length
  await until(() => streams.every(({ messages }) => messages.length > 0), 'the beginning')
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: members.member.id })
  await until(() => heard(here) === 1 && heard(there) === 1, 'the message')
  await member.call(`${base}/inbox/mark-all-read`, {})
  await until(() => heard(here) === 2 && heard(there) === 2, 'the message after reading')
  assert.equal(heard(others), 0)
  for (const stream of streams) await stream.close()
  await beside.stop()
})

test('200 unread items of each project, without what is read or hidden, of former projects and of other people', async () => {
  const [one, two, left, deleted] = await Promise.all([
    createScene(),
    createScene(),
    createScene(),
    createScene(),
  ])
  const user = await service.addUser()
  const client = service.client(user.token)
  const counts = async () => (await client.call(`${base}/inbox/unread-by-project`)).projects
  for (const { projectId, admin, cardId, groupIds, members } of [one, two, left, deleted]) {
    await service.db.sql`
      insert into memberships (project_id, user_id, role) values (${projectId}, ${user.id}, 'member')`
    await admin.call(`${base}/cards/update`, { id: cardId, owner_id: user.id })
    // Somebody else has as much.
    const other = { title: 'Other', group_id: groupIds[0] as number, owner_id: members.member.id }
    await admin.call(`${base}/cards/create`, other)
    await settled(projectId)
  }
  const byId = [one, two, left, deleted].map(({ projectId }) => projectId).sort((a, b) => a - b)
  const expected = (...scenes: { projectId: number }[]) =>
    byId
      .filter((id) => scenes.some(({ projectId }) => projectId === id))
      .map((project_id) => ({ project_id, unread_count: 1 }))
  assert.deepEqual(await counts(), expected(one, two, left, deleted))
  await service
    .client(user.token, { 'x-project-id': String(left.projectId) })
    .call('/services/identity/v1/members/leave')
  await service.db.sql`update projects set deleted_at = now() where id = ${deleted.projectId}`
  assert.deepEqual(await counts(), expected(one, two))
  await one.admin.call(`${base}/cards/delete`, { id: one.cardId })
  assert.deepEqual(await counts(), expected(two))
  await one.admin.call(`${base}/cards/restore`, { id: one.cardId })
  await service
    .client(user.token, { 'x-project-id': String(two.projectId) })
    .call(`${base}/inbox/mark-all-read`, {})
  assert.deepEqual(await counts(), expected(one))
})

test('streams of other projects tell the person too, and that it is another project', async () => {
  const { admin, member, members, cardId, projectId } = await createScene()
  const otherId = await service.addProject()
  await service.db.sql`
    insert into memberships (project_id, user_id, role) values (${otherId}, ${members.member.id}, 'viewer'), (${otherId}, ${members.admin.id}, 'viewer')`
  const beside = await startTestService({}, service.address)
  const query = `?project_id=${otherId}`
  const streams = await Promise.all([
    openStream(service, members.member.token, { query }),
    openStream(beside, members.member.token, { query }),
    openStream(service, members.admin.token, { query }),
    openStream(service, members.member.token),
  ])
  const [here, there, others, own] = streams
  const heard = (stream: typeof here) =>
    stream.messages
      .filter(({ event }) => event.endsWith('inbox'))
      .map(({ event, project_id }) => [event, project_id])
  await until(() => streams.every(({ messages }) => messages.length > 0), 'the beginning')
  await admin.call(`${base}/cards/update`, { id: cardId, owner_id: members.member.id })
  await until(() => heard(here).length === 1 && heard(there).length === 1, 'the message')
  await member.call(`${base}/inbox/mark-all-read`, {})
  await until(() => heard(here).length === 2 && heard(there).length === 2, 'the message after reading')
  for (const stream of [here, there])
    assert.deepEqual(heard(stream), [
      ['other_inbox', projectId],
      ['other_inbox', projectId],
    ])
  assert.deepEqual(heard(own), [
    ['inbox', undefined],
    ['inbox', undefined],
  ])
  assert.deepEqual(heard(others), [])
  for (const stream of streams) await stream.close()
  await beside.stop()
})

test('each event counts once, however many instances follow it and however often', async () => {
  const { admin, member, cardId, projectId } = await createScene()
  const others = Array.from({ length: 3 }, () => connect(service.address, { connections: 1 }))
  const comments = 30
  const following = others.map(async (db) => {
    for (let round = 0; round < 40; round++) await followEvents(db, [projectId])
  })
  for (let number = 0; number < comments; number++)
    await admin.call(`${base}/comments/create`, { card_id: cardId, comment: String(number) })
  await Promise.all(following)
  await settled(projectId)
  assert.deepEqual(await itemsOf(member), [['commented', cardId, comments]])
  await Promise.all(others.map((db) => db.end()))
})

test('what no instance has followed is caught up with', async () => {
  const { member, members, cardId, projectId } = await createScene()
  await settled(projectId)
  const quiet = await startTestService({ inbox: false }, service.address)
  await quiet.client(members.admin.token).call(`${base}/cards/update`, {
    id: cardId,
    owner_id: members.member.id,
  })
  assert.deepEqual(await itemsOf(member), [])
  const behind: number[] = []
  await catchUp(service.db, (ids) => behind.push(...ids))
  assert.ok(behind.includes(projectId))
  let unfinished = behind
  while (unfinished.length > 0) unfinished = (await followEvents(service.db, unfinished)).unfinished
  assert.deepEqual(await itemsOf(member), [['assigned', cardId, 1]])
  behind.length = 0
  await catchUp(service.db, (ids) => behind.push(...ids))
  assert.ok(!behind.includes(projectId))
  await quiet.stop()
})

test('what changed many projects at once is followed after what people changed', async () => {
  // A database of its own, so that no other follower is first.
  const quiet = await startTestService({ inbox: false })
  const ids: number[] = []
  for (let number = 0; number < 12; number++) {
    const { admin, members, cardIds, projectId } = await createBoard(quiet, { cards: 1 })
    await admin.call(`${base}/cards/update`, { id: cardIds[0] as number, owner_id: members.member.id })
    ids.push(projectId)
  }
  const told: number[] = []
  const log = pino({ level: 'silent' })
  const follower = startFollower(quiet.db, { log, tell: (projectId) => told.push(projectId) })
  const last = ids.at(-1) as number
  follower.announce(ids.slice(0, -1))
  follower.announce([last])
  await until(() => told.length === ids.length, 'following all')
  assert.equal(told[0], last)
  assert.deepEqual(
    told.toSorted((a, b) => a - b),
    ids,
  )
  await follower.stop()
  await quiet.stop()
})

test('due dates remind the assignee once, by their time zone, while they hold', async () => {
  const { admin, member, members, cardIds, projectId } = await createScene({ cards: 6 })
  const [soon, late, later, closed, snoozed, day] = cardIds as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()
  const due = (id: number, due_date: string) => ({ id, owner_id: members.member.id, due_date })
  for (const wanted of [
    due(soon, hours(20)),
    due(late, hours(-1)),
    due(later, hours(30)),
    { ...due(closed, hours(-1)), status: 'closed' },
    { ...due(snoozed, hours(20)), snoozed_until: hours(5) },
    { ...due(day, hours(0).slice(0, 10)), due_is_date: true },
  ])
    await member.call(`${base}/cards/update`, wanted)
  const run = () => remind(service.db, { tell: () => {} })
  const reminded = async () =>
    (await itemsOf(member))
      .filter(([reason]) => reason !== 'assigned')
      .sort((a, b) => Number(a[1]) - Number(b[1]))
  await run()
  await run()
  const today = ['due_soon', day, 1]
  assert.deepEqual(await reminded(), [['due_soon', soon, 1], ['overdue', late, 1], today])

  // Moved, closed and given to somebody else.
  await member.call(`${base}/cards/update`, { id: soon, due_date: hours(200) })
  await member.call(`${base}/cards/update`, { id: late, status: 'closed' })
  assert.deepEqual(await reminded(), [today])
  await member.call(`${base}/cards/update`, { id: soon, due_date: hours(10) })
  await member.call(`${base}/inbox/mark-all-read`, {})
  await run()
  assert.deepEqual(await reminded(), [
    ['due_soon', soon, 1],
    [...today, 'read'],
  ])
  await admin.call(`${base}/cards/update`, { id: soon, owner_id: members.admin.id })
  await settled(projectId)
  assert.equal((await reminded()).filter(([, id]) => id === soon).length, 0)
})

test('a day without a time is over when it is over where the person is', async () => {
  const { admin, member, members, cardIds } = await createScene({ cards: 2 })
  const [one, other] = cardIds as [number, number]
  // There is always a place where today is over, or one where yesterday is not.
  const isEvening = new Date().getUTCHours() >= 10
  const day = new Date(Date.now() - (isEvening ? 0 : 86_400_000)).toISOString().slice(0, 10)
  await sql`
    update users set time_zone = ${isEvening ? 'Pacific/Kiritimati' : 'Etc/GMT+12'} where id = ${members.member.id}`
  for (const [id, owner_id] of [
    [one, members.member.id],
    [other, members.admin.id],
  ] as const)
    await sql`
      update cards set owner_id = ${owner_id}, due_date = ${`${day}T23:59:59.999Z`}, due_is_date = true
      where project_id = (select project_id from cards where id = ${id}) and id = ${id}`
  await remind(service.db, { tell: () => {} })
  assert.deepEqual(await itemsOf(member), [[isEvening ? 'overdue' : 'due_soon', one, 1]])
  assert.deepEqual(await itemsOf(admin), [[isEvening ? 'due_soon' : 'overdue', other, 1]])
})

test('for people without a time zone a day ends where the project is', async () => {
  const { member, members, cardIds, projectId } = await createScene({ cards: 1 })
  const isEvening = new Date().getUTCHours() >= 10
  const day = new Date(Date.now() - (isEvening ? 0 : 86_400_000)).toISOString().slice(0, 10)
  const zone = isEvening ? 'Pacific/Kiritimati' : 'Etc/GMT+12'
  await sql`update projects set time_zone = ${zone} where id = ${projectId}`
  await sql`
    update cards set owner_id = ${members.member.id}, due_date = ${`${day}T23:59:59.999Z`}, due_is_date = true
    where project_id = ${projectId} and id = ${cardIds[0] as number}`
  await remind(service.db, { tell: () => {} })
  assert.deepEqual(await itemsOf(member), [[isEvening ? 'overdue' : 'due_soon', cardIds[0], 1]])
})

test('a trial that ends tells the owners', async () => {
  const { owner, member, projectId } = await createScene()
  await sql`
    insert into subscriptions (project_id, product, status, trial_ends_at)
    values (${projectId}, 'website', 'trialing', now() + interval '2 days')`
  await remind(service.db, { tell: () => {} })
  await remind(service.db, { tell: () => {} })
  const { items } = await owner.call(`${base}/inbox/list`, {})
  assert.deepEqual(
    items.map(({ reason, product, card_id }) => [reason, product, card_id]),
    [['trial_ending', 'website', null]],
  )
  assert.deepEqual(await itemsOf(member), [])
  await sql`update subscriptions set status = 'active' where project_id = ${projectId}`
  assert.deepEqual(await itemsOf(owner), [])
})

test('a rollout tells the assignee of a card that it changed, and nobody of those that kept what the project wrote', async () => {
  const master = await createMaster(service, { cards: 2 })
  await master.sync()
  const [receiver] = master.projects as [Receiver]
  const { id: projectId } = receiver
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const copies = await sql<{ id: number }[]>`
    update cards set owner_id = ${user.id} where project_id = ${projectId} and master_card_id = any(${master.cardIds}::bigint[])
    returning id, master_card_id`
  assert.equal(copies.length, 2)
  await sql`
    update cards set title = 'Ours', updated_at = now() where project_id = ${projectId} and master_card_id = ${master.cardIds[1] as number}`
  await settled(projectId)
  for (const id of master.cardIds)
    await master.admin.call('/services/operations/v1/admin/master-cards/update', {
      id,
      title: 'Another title',
    })
  await master.sync()
  await settled(projectId)
  const { items } = await service.client(user.token).call(`${base}/inbox/list`, {})
  assert.deepEqual(
    items.map(({ reason, card_title, actor_id, actor_name }) => [reason, card_title, actor_id, actor_name]),
    [['template_changed', 'Another title', null, null]],
  )
})

test('old items are deleted, read ones sooner', async () => {
  const { admin, member, members, cardIds, projectId } = await createScene({ cards: 3 })
  const [read, old, kept] = cardIds as [number, number, number]
  for (const id of cardIds) await admin.call(`${base}/cards/update`, { id, owner_id: members.member.id })
  await settled(projectId)
  await sql`
    update inbox_items set read_at = now() - interval '31 days' where project_id = ${projectId} and card_id = ${read}`
  await sql`
    update inbox_items set occurred_at = now() - interval '181 days' where project_id = ${projectId} and card_id = ${old}`
  await forgetItems(service.db)
  assert.deepEqual(await itemsOf(member), [['assigned', kept, 1]])
})
