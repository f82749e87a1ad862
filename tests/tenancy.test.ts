// Replaces every id of every operation by one of another project: the call is refused, and the database is unchanged.
import assert from 'node:assert/strict'
import test from 'node:test'
import { operations, registry } from '#api/registry.ts'
import type { Description } from '#contract/operation.ts'
import { type Fields, type Schema, typeOf } from '#contract/schema.ts'
import { type Permission, permissions, type Role, roles } from '#identity/roles.ts'
import { createMaster } from './master.ts'
import { plainValue } from './plain-value.ts'
import { sender } from './post.ts'
import { startTestService } from './service.ts'
import { addPaid, addTrial } from './subscription.ts'
import { createTheme } from './themes.ts'

const base = '/services/operations/v1/operations'
const service = await startTestService()

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
    project: projectId,
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
    'theme version': await addVersion('draft'),
    'approved version': await addVersion('approved'),
    'published version': await addVersion('published'),
    'deprecated version': await addVersion('deprecated'),
    trial: await addTrial(service, projectId),
    subscription: await addPaid(service, projectId, { product: 'shop' }),
  }
  return { projectId, user, things: { ...things, 'deleted thing': gone.board.id } }
}

type Thing = keyof Awaited<ReturnType<typeof createProject>>['things']

/** What an operation accepts, where not any thing of the kind that it acts on will do. */
const fitting: Record<string, Thing> = {
  'cards/reset': 'card of a template',
  'subscriptions/extend-trial': 'trial',
  'versions/publish': 'approved version',
  'versions/deprecate': 'published version',
  'versions/restore': 'deprecated version',
}

interface Named {
  thing: Thing
  /** Of another project, where that is not the same kind of thing. */
  foreign?: Thing
  /** How one of another project is refused. */
  status: 403 | 404 | 422
}

/** What an id field names beside the thing that the operation acts on. */
const beside: Record<string, Named> = {
  'cards/move/group_id': { thing: 'group', status: 403 },
  'activity/list/card_id': { thing: 'card', status: 403 },
  'sessions/revoke/id': { thing: 'session', status: 404 },
  tag_id: { thing: 'tag', status: 422 },
  owner_id: { thing: 'user', status: 422 },
  comment_id: { thing: 'comment', status: 422 },
  card_ids: { thing: 'card', status: 422 },
  parent_comment_id: { thing: 'comment', status: 422 },
  // What another project has published may be chosen.
  'versions/choose/version_id': { thing: 'published version', foreign: 'theme version', status: 403 },
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

function nameOf({ path, on = {} }: Description, field: string): Named {
  const name = path.split('/').slice(-2).join('/')
  const acts = Object.entries(on).find(([, declared]) => declared === field)?.[0] as Thing | undefined
  if (acts) return { thing: fitting[name] ?? acts, status: 403 }
  const found = beside[`${name}/${field}`] ?? beside[field]
  assert.ok(found, `${path} has a field ${field}: say in tests/tenancy.test.ts what it names`)
  return found
}

/** A whole valid input: every id names a thing of the project, everything that is required is there. */
function inputOf(
  operation: Description,
  things: Record<Thing, number>,
  fields = operation.input,
  prefix = '',
) {
  const input: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields)) {
    const { isNullable } = typeOf(schema)
    const entry: Schema | undefined = schema['items']
    if (entry && typeOf(entry).type === 'object')
      input[name] = [inputOf(operation, things, entry['properties'], `${prefix}${name}.`)]
    else if (isId(name)) input[name] = things[nameOf(operation, prefix + name).thing]
    else if (!isNullable) input[name] = plainValue(name, schema)
  }
  return input
}

/** The input with a foreign id in one field; in a list, as an additional first and last entry. */
function withForeign(input: Record<string, unknown>, field: string, id: number): Record<string, unknown>[] {
  const [name, inner] = field.split('.') as [string, string | undefined]
  if (inner === undefined) return [{ ...input, [name]: isId(name) ? id : [id] }]
  const [entry] = input[name] as Record<string, unknown>[]
  const foreign = { ...entry, [inner]: id }
  return [[foreign], [foreign, entry], [entry, foreign]].map((entries) => ({ ...input, [name]: entries }))
}

/** Everything that calls write, table by table; jobs run by the clock. */
async function contents() {
  const { sql } = service.db
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname <> 'jobs' order by 1`
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
const isForSuperadmins = ({ audience }: Description) => String(audience).startsWith('superadmin')

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
  (operation) =>
    !isForSuperadmins(operation) && (typeof operation.on === 'string' || 'or' in (operation.on ?? {})),
)

/** A valid input without what may be left out, such as an id that tells the project; also in the entries of lists. */
const requiredOf = (operation: Description, things: Record<Thing, number>) =>
  withoutOptional(operation.input, inputOf(operation, things))

const withoutOptional = (fields: Fields, input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => !typeOf(fields[name] as Schema).isNullable)
      .map(([name, value]) => {
        const inner: Fields | undefined = fields[name]?.['items']?.properties
        const entries = value as Record<string, unknown>[]
        return [name, inner ? entries.map((entry) => withoutOptional(inner, entry)) : value]
      }),
  )

for (const operation of inCurrentProject)
  test(`403 ${operation.path} in the project of X-Project-Id that is another's`, async () => {
    const own = await createProject()
    const required = requiredOf(operation, own.things)
    const send = sender(service, own.user.token, operation.path)
    const before = await contents()
    assert.equal((await send('', required, elsewhere)).status, 403)
    assert.deepEqual(await contents(), before)
    assert.equal((await send('', required)).status, operation.success)
  })

/** What needs more than the least role, with the role below the one that it needs. */
const aboveViewers = operations.flatMap((operation) => {
  const least = permissions[operation.audience as Permission]?.least
  const below = least && roles[roles.indexOf(least) - 1]
  return operation.on !== undefined && below ? [{ operation, below, least }] : []
})

for (const { operation, below, least } of aboveViewers)
  test(`403 ${operation.path} for a ${below} there who owns another project`, async () => {
    const there = await createProject()
    const here = { 'x-project-id': String(there.projectId) }
    const isOnThing = typeof operation.on === 'object'
    const input = (isOnThing ? inputOf : requiredOf)(operation, there.things)
    const senderAs = async (role: Role) => {
      const user = await service.addUser({ roles: { [theirs.projectId]: 'owner', [there.projectId]: role } })
      return sender(service, user.token, operation.path)
    }
    const send = await senderAs(below)
    const before = await contents()
    assert.equal((await send('', input, here)).status, 403)
    if (isOnThing) assert.equal((await send('', input)).status, 403)
    assert.deepEqual(await contents(), before)
    const { status, body } = await (await senderAs(least))('', input, here)
    // Some leave to members only what they have made themselves, and say so.
    if (status === 403) assert.match(body.message, /^(Members|Only)/)
    else assert.equal(status, operation.success, JSON.stringify(body))
  })

test('an id field without an explanation fails', () => {
  const unknown = { ...operations[0], path: '/services/x/v1/things/get', input: {} } as Description
  assert.throws(() => nameOf(unknown, 'id'), /say in tests\/tenancy.test.ts what it names/)
  assert.throws(() => nameOf(unknown, 'thing_id'), /say in tests\/tenancy.test.ts what it names/)
})

test('the ids inside lists are found', () => {
  const reorder = registry['/services/operations/v1/operations/groups/reorder']
  assert.deepEqual(idFields(reorder.input), ['groups.id'])
  assert.ok(inCurrentProject.length >= 5)
})
