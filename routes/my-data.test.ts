import assert from 'node:assert/strict'
import test from 'node:test'
import { connect } from '#database/connect.ts'
import { myData } from '#projects/my-data.ts'
import { createBoard } from '#tests/board.ts'
import { until } from '#tests/event-stream.ts'
import { grayJpeg } from '#tests/photo.ts'
import { startTestService } from '#tests/service.ts'
import { askWithoutReading, unreadBytes } from '#tests/unread.ts'

const area = '/services/operations/v1/operations'
const service = await startTestService()

const get = (token?: string) =>
  fetch(`${service.url}/my-data`, { headers: { ...(token && { authorization: `Bearer ${token}` }) } })

interface Exported {
  account: { id: number; email: string }
  photo: string | null
  sessions: object[]
  passkeys: { name: string }[]
  single_sign_on: { issuer: string; subject: string }[]
  notifications: { reason: string; way: string }[]
  audit_log: { kind: string; address: string | null }[]
  projects: {
    id: number
    name: string
    role: string
    cards: { title: string }[]
    comments: { comment: string }[]
  }[]
}

test('200 a file with the account and everything the person wrote, in all projects, and nothing of others', async () => {
  const { projectId, boardId, groupIds, members, member, admin } = await createBoard(service)
  const { id, email, token } = members.member
  const otherId = await service.addProject('Other')
  await service.db
    .sql`insert into memberships (project_id, user_id, role) values (${otherId}, ${id}, 'viewer')`
  const { card } = await admin.call(`${area}/cards/create`, {
    title: 'Of somebody else',
    group_id: groupIds[0] as number,
  })
  await member.call(`${area}/comments/create`, { card_id: card.id, comment: 'Mine' })
  await admin.call(`${area}/comments/create`, { card_id: card.id, comment: 'Not mine' })
  // More than are read at once.
  await service.db.sql`
    insert into cards (project_id, board_id, group_id, title, sort_order, created_by)
    select ${projectId}, ${boardId}, ${groupIds[0] as number}, 'Card ' || number, number, ${id} from generate_series(1, 450) number`
  const response = await get(token)
  assert.equal(response.headers.get('content-disposition'), 'attachment; filename="my-data.json"')
  assert.equal(response.headers.get('cache-control'), 'no-store')
  const data = (await response.json()) as Exported
  assert.deepEqual([data.account.id, data.account.email], [id, email])
  assert.deepEqual(
    data.projects.map(({ id: project, role }) => [project, role]),
    [
      [projectId, 'member'],
      [otherId, 'viewer'],
    ],
  )
  const titles = data.projects[0]?.cards.map(({ title }) => title)
  assert.equal(new Set(titles).size, 450)
  assert.ok(!titles?.includes('Of somebody else'))
  assert.deepEqual(
    data.projects[0]?.comments.map(({ comment }) => comment),
    ['Mine'],
  )
  assert.ok(!JSON.stringify(data).includes('password'))
})

test('200 without the addresses of others who changed something about the person', async () => {
  const { id, token } = await service.addUser()
  const superadmin = await service.addUser({ superadmin: true })
  await service.client(superadmin.token).call('/services/identity/v1/users/set-ai', { id, enable_ai: true })
  await service.client(token).call('/services/identity/v1/sessions/revoke-all', { keep_current: true })
  const data = (await (await get(token)).json()) as Exported
  assert.deepEqual(
    data.audit_log.map(({ kind, address }) => [kind, address]),
    [
      ['user.changed', null],
      ['sessions.ended', '127.0.0.1'],
    ],
  )
})

test('200 with photo, passkeys, single sign-on and notification settings, and no secret of theirs', async () => {
  const { id, token } = await service.addUser()
  const { sql } = service.db
  const photo = grayJpeg({}).toString('base64')
  await service.client(token).call('/services/identity/v1/users/set-photo', { photo })
  await service.client(token).call('/services/identity/v1/notifications/update', { mentioned: 'off' })
  await sql`
    insert into passkeys (user_id, credential, public_key, counter, name, is_synced)
    values (${id}, ${Buffer.from(`credential ${id}`)}, ${Buffer.from('key')}, 0, 'Phone', false)`
  await sql`insert into sign_on_identities (issuer, subject, user_id) values ('https://id.example', ${`person ${id}`}, ${id})`
  const data = (await (await get(token)).json()) as Exported
  assert.equal(Buffer.from(data.photo ?? '', 'base64').readUInt16BE(0), 0xffd8)
  assert.deepEqual(
    data.passkeys.map(({ name, ...rest }) => [name, Object.keys(rest).sort()]),
    [['Phone', ['created_at', 'is_synced', 'last_used_at']]],
  )
  assert.deepEqual(
    data.single_sign_on.map(({ issuer, subject }) => [issuer, subject]),
    [['https://id.example', `person ${id}`]],
  )
  assert.deepEqual(data.notifications, [{ reason: 'mentioned', way: 'off' }])
})

test('401 without a session; 429 for a second one while the first is under way', async () => {
  assert.equal((await get()).status, 401)
  const { token } = await service.addUser()
  const answers = await Promise.all([1, 2, 3].map(() => get(token)))
  const statuses = answers.map(({ status }) => status)
  assert.ok(statuses.includes(200))
  await Promise.all(answers.map((answer) => answer.text()))
  assert.equal((await get(token)).status, 200)
})

const longText = '漢'.repeat(65_000)

async function writerOf(comments: number) {
  const { projectId, members, cardIds } = await createBoard(service, { cards: 1 })
  await service.db.sql`
    insert into comments (project_id, card_id, user_id, comment)
    select ${projectId}, ${cardIds[0] as number}, ${members.member.id}, ${longText} from generate_series(1, ${comments}::int)`
  return members.member
}

test('long texts are sent one by one, and none is left out', async () => {
  const { id, token } = await writerOf(20)
  const data = (await (await get(token)).json()) as Exported
  const comments = data.projects[0]?.comments.map(({ comment }) => comment)
  assert.deepEqual(comments, Array(20).fill(longText))
  for await (const part of myData(service.db, id)) assert.ok(part.length < 2 * longText.length)
})

test('what a client does not read is counted and stays small', async () => {
  const { token } = await writerOf(200)
  const request = `GET /my-data HTTP/1.1\r\nhost: cardinal\r\nauthorization: Bearer ${token}\r\n\r\n`
  const socket = await askWithoutReading(service, request, 1)
  await until(async () => (await unreadBytes(service)) > 0, 'unread bytes')
  assert.ok((await unreadBytes(service)) < 1_000_000)
  socket.destroy()
  await until(async () => (await get(token)).status === 200, 'the end of the first export')
})

test('it waits for its turn at the database', async () => {
  const { token } = await service.addUser()
  const holder = connect(service.address, { connections: 1 })
  const running = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text()
    return Number(/^cardinal_database_running (\d+)$/m.exec(text)?.[1])
  }
  let exported: Promise<Response> | undefined
  await holder.transaction(async ({ sql }) => {
    await sql`lock table passkeys`
    exported = get(token)
    await until(async () => (await running()) === 1, 'a statement in the fair queue')
  })
  assert.equal((await exported)?.status, 200)
  await holder.end()
})
