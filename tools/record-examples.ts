// Runs the examples of the reference in its order, at v1, on a fresh demo, and returns them with their real values. `npm run generate` writes
// them to docs/examples.json; tools/record-examples.test.ts compares.
import { pino } from 'pino'
import { operations, type Registry } from '#api/registry.ts'
import { readConfig } from '#config.ts'
import { type Calls, createClient } from '#contract/client.ts'
import type { Example } from '#contract/openapi.ts'
import { createTestDatabase } from '#tests/postgres.ts'
import { demoAccounts, demoPassword } from '../demo/accounts.ts'
import { seedDemo } from '../demo/seed.ts'
import { startService } from '../service.ts'
import { examples, type Kind, type Known, owner } from './examples.ts'

type Fetch = (path: string, init: RequestInit) => Promise<Response>
type Recorded = Record<string, Example>

/** The settings that the examples need. */
export const exampleSettings = { CARDINAL_SIGN_UP: 'open' }

export async function recordExamples(): Promise<Recorded> {
  const database = await createTestDatabase()
  const service = await startService(
    {
      ...readConfig(exampleSettings),
      port: 0,
      secretKeys: [Buffer.alloc(32).toString('base64')],
    },
    database.address,
    pino({ level: 'silent' }),
  )
  try {
    await seedDemo(service.db, { isSmall: true })
    return await runExamples((path, init) => fetch(`${service.url}/api${path}`, init))
  } finally {
    await service.stop()
    await database.drop()
  }
}

/** Sends an example; `renew` returns its input again, with a code that is valid now. */
type Send = (
  path: string,
  token: string | undefined,
  input: object,
  renew: () => Promise<object>,
) => Promise<Response>

/** Throws at the first example whose answer is not the expected one. Tests send the examples in their own way. */
export async function runExamples(
  fetch: Fetch,
  send: Send = (path, token, input) => post(fetch, path, token, input),
): Promise<Recorded> {
  const tokens = new Map<string, string>()
  const answers = new Map<string, Record<string, Record<string, number>>>()
  const tokenOf = async (account: string) => {
    const token = tokens.get(account) ?? (await signIn(fetch, account))
    tokens.set(account, token)
    return token
  }
  const known = await readDemo(fetch, tokenOf, answers)
  const recorded: Recorded = {}
  for (const { path, audience, success } of inOrderOfReference()) {
    const { as = owner, input = {}, sent, refusal } = await examples[path as keyof Registry](known)
    const account = audience === 'public' ? undefined : as
    const renew = async () => ({
      ...input,
      ...(sent && (await examples[path as keyof Registry](known)).sent),
    })
    const response = await send(path, account && (await tokenOf(account)), { ...input, ...sent }, renew)
    const body = await response.text()
    const answered = response.headers.get('x-error-code') ?? response.status
    if (answered !== (refusal?.code ?? success))
      throw new Error(`The example of ${path} was answered with ${body}`)
    answers.set(path, JSON.parse(body).data)
    recorded[path] = { ...(account && { as: account }), input, ...(refusal && { refusal }) }
  }
  return recorded
}

/** Signing in comes first, then the operations as they are registered. */
const inOrderOfReference = () =>
  operations.toSorted(
    (a, b) => Number(a.path.startsWith('/services')) - Number(b.path.startsWith('/services')),
  )

const post = (fetch: Fetch, path: string, token: string | undefined, input: object) =>
  fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(input),
  })

async function signIn(fetch: Fetch, email: string): Promise<string> {
  const [code] = demoAccounts.find((account) => account.email === email)?.recoveryCodes ?? []
  const credentials = { email, password: demoPassword, ...(code && { code, is_recovery: true }) }
  const response = await post(fetch, '/v1/authenticate', undefined, credentials)
  return ((await response.json()) as { data: { token: string } }).data.token
}

const boards = '/services/operations/v1/operations/boards'
const masters = '/services/operations/v1/admin/master-boards'

/** Reads the ids of the demo's things before the examples change anything. */
async function readDemo(
  fetch: Fetch,
  tokenOf: (account: string) => Promise<string>,
  answers: ReadonlyMap<string, Record<string, Record<string, number>>>,
): Promise<Known> {
  const ids = new Map<string, number>()
  const add = (kind: Kind, name: string, id: number) => {
    if (!ids.has(`${kind} ${name}`)) ids.set(`${kind} ${name}`, id)
  }
  const clientOf = async (account: string) =>
    createClient<Calls<Registry>>({
      baseUrl: '',
      headers: { authorization: `Bearer ${await tokenOf(account)}` },
      fetch: (url, init) => fetch(String(url), init ?? {}),
    })
  const [acme, cedar, superadmin] = await Promise.all(
    [owner, 'owner@cedar.test', 'superadmin@cardinal.test'].map(clientOf),
  )
  if (!acme || !cedar || !superadmin) throw new Error('unreachable')
  for (const { id, title } of (await acme.call(`${boards}/list`)).boards) {
    add('board', title, id)
    for (const group of (await acme.call(`${boards}/get`, { id })).board.groups) {
      add('group', group.title, group.id)
      for (const card of group.cards) add('card', card.title, card.id)
    }
  }
  for (const { id, title } of (await superadmin.call(`${masters}/list`)).boards) {
    add('master board', title, id)
    for (const group of (await superadmin.call(`${masters}/get`, { id })).board.groups) {
      add('master group', group.title, group.id)
      for (const card of group.cards) add('master card', card.title, card.id)
    }
  }
  const { projects } = await superadmin.call('/services/identity/v1/projects/list', { limit: 10 })
  for (const { id, name } of projects) add('project', name, id)
  const { audiences } = await superadmin.call('/services/operations/v1/admin/audiences/list')
  for (const { id, name } of audiences) add('audience', name, id)
  const { tags } = await acme.call('/services/operations/v1/operations/tags/list')
  for (const { id, name } of tags) add('tag', name, id)
  const { views } = await acme.call('/services/operations/v1/operations/views/list')
  for (const { id, name } of views) add('view', name, id)
  const { members } = await acme.call('/services/identity/v1/members/list')
  for (const { user_id: id, name } of members) add('member', name, id)
  const { invitations } = await acme.call('/services/identity/v1/invitations/list')
  for (const { id, email } of invitations) add('invitation', email, id)
  const nils = await clientOf('superadmin@nordwind.test')
  add('superadmin', 'Nils Berg', (await nils.call('/services/identity/v1/users/me')).user.id)
  const { versions } = await superadmin.call('/services/websites/v1/themes/versions/list')
  for (const version of versions) {
    add('theme', version.theme_name, version.theme_id)
    add('theme version', `${version.theme_name} ${version.version}`, version.version_id)
  }
  for (const [name, client] of [['Acme', acme] as const, ['Cedar', cedar] as const])
    for (const { id } of (await client.call('/services/platforms/v1/subscriptions/list')).subscriptions)
      add('subscription of', name, id)
  for (const { id } of (await cedar.call('/services/platforms/v1/payments/list')).payments)
    add('payment of', 'Cedar', id)
  const rollout = async (isWanted: (rollout: { status: string }) => boolean) => {
    const { rollouts } = await superadmin.call('/services/operations/v1/admin/rollouts/list')
    return present(rollouts.find(isWanted)?.id, 'such rollout')
  }
  const present = <Value>(value: Value | undefined, name: string): Value => {
    if (value === undefined) throw new Error(`The demo has no ${name}`)
    return value
  }
  return {
    id: (kind, name) => present(ids.get(`${kind} ${name}`), `${kind} "${name}"`),
    created: (path, key) => {
      const thing = answers.get(path)?.[key]
      return present(thing?.['id'] ?? thing?.['version_id'], `${key} of ${path}`)
    },
    createdMany: (path, key) => {
      const things = answers.get(path)?.[key] as unknown as { id: number }[] | undefined
      return present(things, `${key} of ${path}`).map(({ id }) => id)
    },
    secret: () => String(answers.get('/services/identity/v1/second-factor/begin')?.['secret']),
    latestRollout: () => rollout(() => true),
    canceledRollout: () => rollout(({ status }) => status === 'canceled'),
    deletedCard: async () => {
      const { things } = await acme.call('/services/operations/v1/operations/trash/list')
      return present(things.find(({ kind }) => kind === 'card')?.thing_id, 'deleted card')
    },
  }
}
