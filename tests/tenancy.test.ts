// Replaces every id of every operation by one of another project: the call is refused, and the database is unchanged.
import assert from 'node:assert/strict'
import test from 'node:test'
import { registry } from '#api/registry.ts'
import type { Operation } from '#contract/operation.ts'
import { type Fields, type Schema, typeOf } from '#contract/schema.ts'
import { permissions } from '#identity/roles.ts'
import { createMaster } from './master.ts'
import { sender } from './post.ts'
import { startTestService } from './service.ts'
import { addPaid, addTrial } from './subscription.ts'
import { createTheme } from './themes.ts'

const base = '/services/operations/v1/operations'
const service = await startTestService()
const operations = Object.values(registry) as unknown as Operation[]

const master = await createMaster(service, { projects: 0, cards: 1 })

/** Gives the project a card of a template. */
async function addCopy(projectId: number): Promise<number> {
  const { sql } = service.db
  await sql`update projects set tool_keys = ${sql.json([master.toolKey])} where id = ${projectId}`
  await master.sync()
  const [copy] = await sql<{ id: number }[]>`
    select id from cards where project_id = ${projectId} and master_card_id = ${master.cardIds[0] as number}`
  return copy?.id as number
}

/** A project with one of each thing that an id can name, created by its owner. */
async function createProject() {
  const { projectId, members, themeId, addVersion } = await createTheme(service)
  const user = members.owner
  const client = service.client(user.token)
  const { board } = await client.call(`${base}/boards/create`, { title: 'x' })
  const { group } = await client.call(`${base}/groups/create`, { board_id: board.id, title: 'x' })
  const { card } = await client.call(`${base}/cards/create`, { title: 'x', group_id: group.id })
  const deleted = await client.call(`${base}/cards/create`, { title: 'x', group_id: group.id })
  await client.call(`${base}/cards/delete`, { id: deleted.card.id })
  const gone = await client.call(`${base}/boards/create`, { title: 'x' })
  await client.call(`${base}/boards/delete`, { id: gone.board.id })
  const goneGroup = await client.call(`${base}/groups/create`, { board_id: board.id, title: 'x' })
  await client.call(`${base}/groups/delete`, { id: goneGroup.group.id })
  const { comment } = await client.call(`${base}/comments/create`, { card_id: card.id, comment: 'x' })
  const goneComment = await client.call(`${base}/comments/create`, { card_id: card.id, comment: 'x' })
  await client.call(`${base}/comments/delete`, { id: goneComment.comment.id })
  const { tag } = await client.call(`${base}/tags/create`, { name: 'x' })
  const copyId = await addCopy(projectId)
  const { sessions } = await client.call('/services/identity/v1/sessions/list')
  const things = {
    board: board.id,
    group: group.id,
    card: card.id,
    'deleted card': deleted.card.id,
    'deleted board': gone.board.id,
    'deleted group': goneGroup.group.id,
    'deleted comment': goneComment.comment.id,
    'card of a template': copyId,
    comment: comment.id,
    tag: tag.id,
    user: user.id,
    session: sessions[0]?.id as number,
    theme: themeId,
    version: await addVersion('draft'),
    'approved version': await addVersion('approved'),
    'published version': await addVersion('published'),
    'deprecated version': await addVersion('deprecated'),
    trial: await addTrial(service, projectId),
    'paid subscription': await addPaid(service, projectId, { product: 'shop' }),
  }
  return { projectId, user, things }
}

type Thing = keyof Awaited<ReturnType<typeof createProject>>['things']

/** The thing that an id field names, and the refusal of another project's (`foreign` if that differs); `id` is listed with its folder. */
const named: Record<string, { thing: Thing; foreign?: Thing; status: 403 | 404 | 422 }> = {
  'boards/id': { thing: 'board', status: 403 },
  'boards/restore/id': { thing: 'deleted board', status: 403 },
  'groups/restore/id': { thing: 'deleted group', status: 403 },
  'groups/id': { thing: 'group', status: 403 },
  'groups/groups.id': { thing: 'group', status: 403 },
  'cards/id': { thing: 'card', status: 403 },
  'cards/reset/id': { thing: 'card of a template', status: 403 },
  'cards/restore/id': { thing: 'deleted card', status: 403 },
  'trash/get/id': { thing: 'deleted board', status: 403 },
  'comments/restore/id': { thing: 'deleted comment', status: 403 },
  'comments/id': { thing: 'comment', status: 403 },
  'tags/id': { thing: 'tag', status: 403 },
  'subscriptions/id': { thing: 'paid subscription', status: 403 },
  'subscriptions/extend-trial/id': { thing: 'trial', status: 403 },
  'sessions/id': { thing: 'session', status: 404 },
  board_id: { thing: 'board', status: 403 },
  group_id: { thing: 'group', status: 403 },
  card_id: { thing: 'card', status: 403 },
  tag_id: { thing: 'tag', status: 422 },
  owner_id: { thing: 'user', status: 422 },
  comment_id: { thing: 'comment', status: 422 },
  parent_comment_id: { thing: 'comment', status: 422 },
  theme_id: { thing: 'theme', status: 403 },
  version_id: { thing: 'version', status: 403 },
  'versions/publish/version_id': { thing: 'approved version', status: 403 },
  'versions/deprecate/version_id': { thing: 'published version', status: 403 },
  'versions/restore/version_id': { thing: 'deprecated version', status: 403 },
  // Another project's published version may be chosen.
  'versions/choose/version_id': { thing: 'published version', foreign: 'version', status: 403 },
}

const isId = (name: string) => name === 'id' || name.endsWith('_id')

/** The id fields of an operation: `id`, or `groups.id` inside a list. */
const idFields = (fields: Fields, prefix = ''): string[] =>
  Object.entries(fields).flatMap(([name, schema]) => {
    if (typeOf(schema).type !== 'array') return isId(name) ? [prefix + name] : []
    const entry: Schema = schema['items']
    if (typeOf(entry).type === 'object') return idFields(entry['properties'], `${prefix}${name}.`)
    return isId(name.replace(/s$/, '')) ? [prefix + name] : []
  })

function nameOf({ path }: Operation, field: string) {
  const [folder, verb] = path.split('/').slice(-2) as [string, string]
  const found = named[`${folder}/${verb}/${field}`] ?? named[`${folder}/${field}`] ?? named[field]
  assert.ok(found, `${path} has a field ${field}: say in tests/tenancy.test.ts what it names`)
  return found
}

/** Keys of the catalogue. */
const catalogueKeys: Record<string, string> = { product: 'website', plan: 'pro' }

/** A valid value for a field that names nothing. */
function plainValue(name: string, schema: Schema): unknown {
  const { type } = typeOf(schema)
  return (
    catalogueKeys[name] ?? schema['enum']?.[0] ?? { string: 'some text', integer: 1, boolean: true }[type]
  )
}

/** A complete valid input: every id names a thing of the project. */
function inputOf(operation: Operation, things: Record<Thing, number>, fields = operation.input, prefix = '') {
  const input: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields)) {
    const { isNullable } = typeOf(schema)
    const entry: Schema | undefined = schema['items']
    if (entry && typeOf(entry).type === 'object')
      input[name] = [inputOf(operation, things, entry['properties'], `${prefix}${name}.`)]
    else if (entry) input[name] = [plainValue(name, entry)]
    else if (isId(name)) input[name] = things[nameOf(operation, prefix + name).thing]
    else if (!isNullable) input[name] = plainValue(name, schema)
  }
  return input
}

/** The input with a foreign id in one field; in a list, as an additional first and last entry. */
function withForeign(input: Record<string, unknown>, field: string, id: number): Record<string, unknown>[] {
  const [name, inner] = field.split('.') as [string, string | undefined]
  if (inner === undefined) return [{ ...input, [name]: id }]
  const [entry] = input[name] as Record<string, unknown>[]
  const foreign = { ...entry, [inner]: id }
  return [[foreign], [foreign, entry], [entry, foreign]].map((entries) => ({ ...input, [name]: entries }))
}

/** Everything that the database holds, table by table. */
async function contents() {
  const { sql } = service.db
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`
  const sums = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await sql<{ sum: string | null }[]>`
        select md5(string_agg(t::text, '|' order by t::text)) as sum from ${sql(name)} t`
      return [name, row?.sum]
    }),
  )
  return Object.fromEntries(sums) as Record<string, string | null>
}

const theirs = await createProject()
const elsewhere = { 'x-project-id': String(theirs.projectId) }
const isForSuperadmins = ({ audience }: Operation) => String(audience).startsWith('superadmin')

for (const operation of operations.filter((one) => !isForSuperadmins(one)))
  for (const field of idFields(operation.input))
    test(`${operation.path}: ${field} of another project`, async () => {
      const { thing, foreign: foreignThing = thing, status } = nameOf(operation, field)
      const own = await createProject()
      const send = sender(service, own.user.token, operation.path)
      const input = inputOf(operation, own.things)
      const before = await contents()
      for (const foreign of withForeign(input, field, theirs.things[foreignThing]))
        for (const headers of [{}, elsewhere]) {
          const answer = await send('', foreign, headers)
          assert.equal(answer.status, status, JSON.stringify(answer.body))
          assert.deepEqual(Object.keys(answer.body.errors ?? {}), status === 422 ? [field] : [])
        }
      assert.deepEqual(await contents(), before)
      // The same call with the own id is accepted, so the foreign id was the reason for the refusal.
      const accepted = await send('', input)
      assert.equal(accepted.status, operation.success, JSON.stringify(accepted.body))
    })

for (const operation of operations.filter(isForSuperadmins))
  test(`403 ${operation.path} for the owner of a project, whatever the ids`, async () => {
    const own = await createProject()
    const before = await contents()
    for (const id of [1, own.things.board, theirs.things.board]) {
      const ids = Object.fromEntries(idFields(operation.input).map((field) => [field, id]))
      assert.equal((await sender(service, own.user.token, operation.path)('', ids)).status, 403)
    }
    assert.deepEqual(await contents(), before)
  })

/** Operations that take their project from the header or the user, because no id names it. */
const inCurrentProject = operations.filter(
  ({ audience, input }) =>
    String(audience) in permissions &&
    idFields(input).every((field) => !field.includes('.') && typeOf(input[field] as Schema).isNullable),
)

for (const operation of inCurrentProject)
  test(`403 ${operation.path} in the project of X-Project-Id that is another's`, async () => {
    const own = await createProject()
    const required = Object.fromEntries(
      Object.entries(operation.input)
        .filter(([, schema]) => !typeOf(schema).isNullable)
        .map(([name, schema]) => [name, plainValue(name, schema)]),
    )
    const send = sender(service, own.user.token, operation.path)
    const before = await contents()
    assert.equal((await send('', required, elsewhere)).status, 403)
    assert.deepEqual(await contents(), before)
    assert.equal((await send('', required)).status, operation.success)
  })

test('an id field that nobody has explained fails', () => {
  const unknown = { ...operations[0], path: '/services/x/v1/things/get', input: {} } as Operation
  assert.throws(() => nameOf(unknown, 'id'), /say in tests\/tenancy.test.ts what it names/)
  assert.throws(() => nameOf(unknown, 'thing_id'), /say in tests\/tenancy.test.ts what it names/)
})

test('the ids inside lists are found', () => {
  const reorder = registry['/services/operations/v1/operations/groups/reorder'] as unknown as Operation
  assert.deepEqual(idFields(reorder.input), ['groups.id'])
  assert.ok(inCurrentProject.length >= 5)
})
