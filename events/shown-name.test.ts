// Members of a project do not read which superadmin helped them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { eventually } from '#tests/process.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()

test('what a superadmin who is no member did is by Cardinal support: in the inbox, on cards, in the trash and in the live stream', async () => {
  const { projectId, boardId, member, members, groupIds } = await createBoard(service)
  const superadmin = await service.addUser({ superadmin: true })
  const helper = service.client(superadmin.token, { 'x-project-id': String(projectId) })
  const group_id = groupIds[0] as number
  const { card } = await helper.call(`${operations}/cards/create`, {
    ...{ title: 'Helped', group_id, owner_id: members.member.id },
  })
  await helper.call(`${operations}/comments/create`, { card_id: card.id, comment: 'Here' })
  await eventually(async () => {
    const { items } = await member.call(`${operations}/inbox/list`)
    assert.deepEqual(
      items.map(({ reason, actor_id, actor_name }) => [reason, actor_id, actor_name]),
      [
        ['commented', 0, 'Cardinal support'],
        ['assigned', 0, 'Cardinal support'],
      ],
    )
  })
  const opened = async (by: typeof helper) => {
    const { people, comments } = await by.call(`${operations}/cards/get`, { id: card.id })
    return [people, comments.map(({ user_id: id }) => id)]
  }
  assert.deepEqual(await opened(member), [[{ id: 0, name: 'Cardinal support' }], [0]])
  const { id } = superadmin
  assert.deepEqual(await opened(helper), [[{ id, name: 'Cardinal support' }], [id]])
  const activity = await member.call(`${operations}/activity/list`, { board_id: boardId })
  assert.deepEqual(
    activity.activity.map(({ actor_id, actor_name }) => [actor_id, actor_name]).slice(0, 2),
    Array(2).fill([null, 'Cardinal support']),
  )
  const open = ({ token }: { token: string }) =>
    openStream(service, token, { query: `?project_id=${projectId}` })
  const streams = await Promise.all([open(members.member), open(superadmin)])
  for (const { messages } of streams) await until(() => messages.length > 0, 'the stream begins')
  await helper.call(`${operations}/cards/create`, { title: 'Made', group_id })
  await helper.call(`${operations}/cards/delete`, { id: card.id })
  for (const { events } of streams) await until(() => events().length > 1, 'the events arrive')
  assert.deepEqual(
    streams.map(({ events }) => events().map(({ kind, actor_id }) => [kind, actor_id])),
    [null, id].map((seen) => ['card.created', 'card.deleted'].map((kind) => [kind, seen])),
  )
  assert.partialDeepStrictEqual(streams[0]?.events()[0]?.data, { created_by: 0 })
  await Promise.all(streams.map((stream) => stream.close()))
  const { things } = await member.call(`${operations}/trash/list`)
  assert.deepEqual(
    things.map(({ title, deleted_by_name }) => [title, deleted_by_name]),
    [['Helped', 'Cardinal support']],
  )
  const another = service.client((await service.addUser({ superadmin: true })).token)
  await another.call('/services/identity/v1/users/demote', { id })
  const later = await member.call(`${operations}/activity/list`, { board_id: boardId })
  const byHelper = later.activity.filter(({ kind }) => /^(card|comment)\./.test(kind))
  assert.deepEqual(
    byHelper.map(({ actor_id, actor_name }) => [actor_id, actor_name]),
    Array(4).fill([null, 'Cardinal support']),
  )
  assert.deepEqual(
    byHelper.flatMap(({ data }) => data['created_by'] ?? []),
    [0, 0],
  )
})

test('members find the id of a superadmin who helped nowhere, until they are a member themselves', async () => {
  const { projectId, members, member, admin } = await createBoard(service)
  const { sql } = service.db
  await sql`select setval(pg_get_serial_sequence('users', 'id'), 987654)`
  const { id, token } = await service.addUser({ superadmin: true })
  const stream = await openStream(service, members.member.token)
  await until(() => stream.messages.length > 0, 'the stream begins')
  const helper = service.client(token, { 'x-project-id': String(projectId) })
  const { board } = await helper.call(`${operations}/boards/create`, { title: 'Helped' })
  const { group } = await helper.call(`${operations}/groups/create`, { board_id: board.id, title: 'Helped' })
  const card = async () => {
    const wanted = { title: 'Helped', group_id: group.id, owner_id: members.member.id }
    return (await helper.call(`${operations}/cards/create`, wanted)).card
  }
  const [one, two] = [await card(), await card()]
  await sql`
    update cards set evaluation_check = 'x', evaluated_check = 'x', evaluation_passed = true, evaluated_at = now(), evaluated_by = ${id}
    where project_id = ${projectId} and id = ${one.id}`
  const { tag } = await helper.call(`${operations}/tags/create`, { name: 'Helped' })
  assert.deepEqual([one.created_by, tag.created_by], [id, 0])
  const view = { page: 'my_cards', name: 'Helped', parameters: 'q=x', is_shared: true } as const
  await helper.call(`${operations}/views/create`, view)
  await sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, expires_at)
    values (${projectId}, 'new@x.test', 'member', '\\x01', ${id}, now() + interval '1 day')`
  const { theme } = await helper.call('/services/websites/v1/themes/create', { name: 'Helped' })
  await helper.call('/services/websites/v1/themes/versions/create', { theme_id: theme.id, version: '1' })
  const things = { cards: two, tags: tag, groups: group, boards: board }
  for (const [kind, thing] of Object.entries(things) as [keyof typeof things, { id: number }][]) {
    await admin.call(`${operations}/${kind}/delete`, { id: thing.id })
    await admin.call(`${operations}/${kind}/restore`, { id: thing.id })
  }
  await admin.call(`${operations}/cards/delete`, { id: two.id })
  await helper.call(`${operations}/comments/create`, { card_id: one.id, comment: 'Helped' })
  await helper.call(`${operations}/cards/update`, { id: one.id, title: 'Helped again' })
  await helper.call(`${operations}/presence/show`, {
    ...{ stream_id: 'help', board_id: board.id, editing_card_id: one.id },
  })
  await until(() => stream.messages.some(({ event }) => event === 'presence'), 'the helper to be seen')
  const read = async () => {
    const area = '/services/identity/v1'
    return {
      board: await member.call(`${operations}/boards/get`, { id: board.id }),
      boards: await member.call(`${operations}/boards/list`),
      card: await member.call(`${operations}/cards/get`, { id: one.id }),
      tags: await member.call(`${operations}/tags/list`),
      trash: await member.call(`${operations}/trash/list`),
      history: await member.call(`${operations}/activity/list`, { board_id: board.id, card_id: one.id }),
      inbox: await member.call(`${operations}/inbox/list`),
      present: await member.call(`${operations}/presence/show`, { stream_id: 'own', board_id: board.id }),
      own: await member.call(`${operations}/boards/get-personal`, { board_id: board.id }),
      members: await admin.call(`${area}/members/list-details`),
      deleted: await member.call(`${operations}/trash/get`, { kind: 'card', id: two.id }),
      found: await member.call(`${operations}/cards/search`, { query: 'helped' }),
      home: await member.call(`${operations}/home/get`),
      activity: await member.call(`${operations}/activity/list`, { board_id: board.id }),
      views: await member.call(`${operations}/views/list`),
      invitations: await admin.call(`${area}/invitations/list`),
      themes: await admin.call('/services/websites/v1/themes/list'),
      versions: await admin.call('/services/websites/v1/themes/versions/list'),
    }
  }
  const kinds = () => stream.events().map(({ kind }) => kind)
  await until(() => kinds().filter((kind) => kind === 'card.deleted').length === 2, 'the events arrive')
  await stream.close()
  for (const [name, shown] of Object.entries({ ...(await read()), stream: stream.messages }))
    assert.ok(!JSON.stringify(shown).includes(String(id)), `${name} ${JSON.stringify(shown)}`)
  const { card: shown, people: known } = (await read()).card
  assert.deepEqual(
    [shown.created_by, shown.evaluated_by, known],
    [0, 0, [{ id: 0, name: 'Cardinal support' }]],
  )
  await sql`insert into memberships (project_id, user_id, role) values (${projectId}, ${id}, 'member')`
  const { card: theirs, people } = (await read()).card
  assert.deepEqual([theirs.created_by, people.map((person) => person.id)], [id, [id]])
})
