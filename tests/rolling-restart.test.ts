// Instances behind a load balancer are restarted one after the other, under load through connections that are kept open.
import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoPassword } from '../demo/accounts.ts'
import { eventually, networkDatabase, type RunningService, run, serve } from './process.ts'

const checkMilliseconds = 100

test('a rolling restart fails no request, though nobody repeats one', async () => {
  const { url: databaseUrl, db } = await networkDatabase()
  const environment = {
    DATABASE_URL: databaseUrl,
    CARDINAL_DRAIN_SECONDS: '1',
    CARDINAL_RATE_LIMIT: '1000000',
    CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000',
  }
  assert.equal((await run(['demo'], { DATABASE_URL: databaseUrl })).code, 0)
  const instances = await Promise.all([serve(environment), serve(environment)])
  const token = await (instances[0] as RunningService).signIn('owner@acme.test', demoPassword)
  const [group] = await db.sql<{ id: number; project_id: number }[]>`
    select g.id, g.project_id from groups g join projects p on p.id = g.project_id
    where p.name = 'Acme' and g.deleted_at is null order by g.id limit 1`
  const headers = { authorization: `Bearer ${token}`, 'x-project-id': String(group?.project_id) }

  const open = new Set<RunningService>(instances)
  const said503 = new Map<RunningService, string>()
  /** Stops sending to an instance once it says that it is not ready, as a load balancer does. */
  async function check(instance: RunningService, isOver: () => boolean) {
    for (; !isOver(); await sleep(checkMilliseconds)) {
      const { status, body } = await call(instance, 'GET', '/health/ready').catch(() => ({
        status: 0,
        body: '',
      }))
      if (status === 200) open.add(instance)
      else open.delete(instance)
      if (status === 503) said503.set(instance, body)
    }
  }

  let isOver = false
  const failed: string[] = []
  const created: string[] = []
  let answered = 0
  let ended = 0
  async function send(client: number) {
    using agent = agentOf()
    for (let number = 0; !isOver; number++) {
      const [instance] = [...open].slice((client + number) % open.size)
      const title = `Sent ${client}.${number}`
      const [path, body] =
        number % 4 === 0
          ? ['/services/operations/v1/operations/cards/create', { group_id: group?.id, title }]
          : ['/services/identity/v1/users/me', {}]
      try {
        const answer = await call(instance as RunningService, 'POST', path as string, {
          body,
          headers,
          agent,
        })
        answered++
        if (answer.connection === 'close') ended++
        if (answer.status >= 300) failed.push(`${path} ${answer.status} ${answer.body}`)
        else if (number % 4 === 0) created.push(title)
      } catch (error) {
        failed.push(`${path} ${error}`)
      }
    }
  }

  const sending = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(send))
  let checking = instances.map((instance) => check(instance, () => isOver))
  const restarted = [...instances]
  for (const old of restarted) {
    const before = answered
    assert.equal(await old.stop(), 0)
    const next = await serve(environment)
    checking = [...checking, check(next, () => isOver)]
    await eventually(() => assert.ok(open.has(next)))
    assert.ok(answered > before, 'nothing was answered meanwhile')
    instances.push(next)
  }
  isOver = true
  await sending
  await Promise.all(checking)

  assert.deepEqual(failed, [])
  assert.ok(ended > 0, 'no answer ended its connection')
  assert.deepEqual([...said503.keys()], restarted)
  for (const body of said503.values()) assert.deepEqual(JSON.parse(body), { status: 'the service is ending' })
  const kept = await db.sql<{ title: string }[]>`
    select title from cards where project_id = ${group?.project_id as number} and title like 'Sent %'`
  assert.deepEqual(new Set(kept.map(({ title }) => title)), new Set(created))
  for (const instance of instances.slice(2)) assert.equal(await instance.stop(), 0)
})

function agentOf() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return Object.assign(agent, { [Symbol.dispose]: () => agent.destroy() })
}

interface Sent {
  body?: object
  headers?: Record<string, string>
  agent?: Agent
}

async function call(
  { url }: RunningService,
  method: string,
  path: string,
  { body, headers, agent }: Sent = {},
) {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request(
      `${url}/api${path}`,
      { method, agent, headers: { 'content-type': 'application/json', ...headers } },
      resolve,
    )
      .on('error', reject)
      .end(body && JSON.stringify(body)),
  )
  const chunks = await Array.fromAsync(response)
  const { statusCode: status = 0, headers: received } = response
  return { status, connection: received.connection, body: Buffer.concat(chunks).toString() }
}
