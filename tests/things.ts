// A project with one of each thing that an id can name, and inputs that name them, for tests of all operations.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { pagesWithoutBoard } from '#boards/view/view.ts'
import type { Description } from '#contract/operation.ts'
import { type Fields, type Schema, text, typeOf } from '#contract/schema.ts'
import { countProjects } from '#fleet/counting.ts'
import { addProject } from '#projects/creating.ts'
import { newInvitationSecret } from '#projects/invitation/invitation.ts'
import { addMember } from '#projects/members.ts'
import type { MasterFixture } from './master.ts'
import { plainValue } from './plain-value.ts'
import { eventually } from './process.ts'
import type { TestService } from './service.ts'
import { addPaid, addPayment, addTrial } from './subscription.ts'
import { createTheme } from './themes.ts'
import { bringBack, type Contents, differenceOf, readContents } from './whole-database.ts'

const base = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'

/** Gives the project a card of a template. */
async function addCopy(service: TestService, master: MasterFixture, projectId: number): Promise<number> {
  const { sql } = service.db
  await sql`update projects set tool_keys = ${sql.json([master.toolKey])} where id = ${projectId}`
  await master.sync()
  const [copy] = await sql<{ id: number }[]>`
    select id from cards where project_id = ${projectId} and master_card_id = ${master.cardIds[0] as number}`
  return copy?.id as number
}

/** An invitation that was sent long enough ago to be sent again. */
async function addInvitation({ db }: TestService, projectId: number, userId: number): Promise<number> {
  const { hash } = newInvitationSecret(projectId)
  const [added] = await db.sql<{ id: number }[]>`
    insert into invitations (project_id, email, role, token_hash, invited_by, sent_at, expires_at)
    values (${projectId}, 'invited@example.test', 'viewer', ${hash}, ${userId}, now() - interval '1 hour', now() + interval '1 day')
    returning id`
  return added?.id as number
}

/** Of a name that no other has. */
async function addAudience({ db: { sql } }: TestService, platformId: number, name: string): Promise<number> {
  const [added] = await sql<{ id: number }[]>`
    insert into audiences (platform_id, name, filter) values (${platformId}, ${`${name} ${randomUUID()}`}, '{}') returning id`
  return added?.id as number
}

/** A passkey that no authenticator has, so nobody can sign in with it. */
async function addPasskey({ db }: TestService, userId: number): Promise<number> {
  const [added] = await db.sql<{ id: number }[]>`
    insert into passkeys (user_id, credential, public_key, counter, name, is_synced)
    values (${userId}, ${randomBytes(16)}, ${randomBytes(77)}, 0, 'Key', false) returning id`
  return added?.id as number
}

/** A project with one of each thing that an id can name, created by its owner, and with the template. */
export async function createThings(
  service: TestService,
  master: MasterFixture,
  { name = 'x', platformId }: { name?: string; platformId?: number } = {},
) {
  const { projectId, members, themeId, addVersion } = await createTheme(service, name, platformId)
  const user = members.owner
  const client = service.client(user.token)
  const { board } = await client.call(`${base}/boards/create`, { title: name })
  const { group } = await client.call(`${base}/groups/create`, { board_id: board.id, title: name })
  const { card } = await client.call(`${base}/cards/create`, { title: name, group_id: group.id })
  const deleted = await client.call(`${base}/cards/create`, { title: name, group_id: group.id })
  await client.call(`${base}/cards/delete`, { id: deleted.card.id })
  const gone = await client.call(`${base}/boards/create`, { title: name })
  await client.call(`${base}/boards/delete`, { id: gone.board.id })
  const goneGroup = await client.call(`${base}/groups/create`, { board_id: board.id, title: name })
  await client.call(`${base}/groups/delete`, { id: goneGroup.group.id })
  const { comment } = await client.call(`${base}/comments/create`, { card_id: card.id, comment: name })
  const goneComment = await client.call(`${base}/comments/create`, { card_id: card.id, comment: name })
  await client.call(`${base}/comments/delete`, { id: goneComment.comment.id })
  const { tag } = await client.call(`${base}/tags/create`, { name })
  const { view } = await client.call(`${base}/views/create`, {
    name,
    page: 'search',
    parameters: 'view=table',
    is_shared: true,
  })
  const goneTag = await client.call(`${base}/tags/create`, { name })
  await client.call(`${base}/tags/delete`, { id: goneTag.tag.id })
  const copyId = await addCopy(service, master, projectId)
  const removed = await master.addCard({ title: name })
  await master.admin.call(`${masters}/master-cards/delete`, { id: removed })
  const removedGroup = await master.admin.call(`${masters}/master-groups/create`, {
    board_id: master.boardId,
    title: name,
  })
  await master.admin.call(`${masters}/master-groups/delete`, { id: removedGroup.group.id })
  const removedBoard = await master.admin.call(`${masters}/master-boards/create`, {
    title: name,
    platform_id: master.platformId,
  })
  await master.admin.call(`${masters}/master-boards/delete`, { id: removedBoard.board.id })
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  const { sessions } = await client.call('/services/identity/v1/sessions/list')
  const invitationId = await addInvitation(service, projectId, user.id)
  const leaving = await service.addUser({ roles: { [projectId]: 'member' } })
  await client.call('/services/identity/v1/members/remove', { user_id: leaving.id })
  // A project keeps an owner, so one of two can leave.
  await service.addUser({ roles: { [projectId]: 'owner' } })
  // Opens the outbox, so that mails can be sent.
  await service.db.sql`update users set is_demo = true where id = ${user.id}`
  const subscription = await addPaid(service, projectId, { product: 'shop' })
  // Its name has to be typed to delete it.
  await service.db
    .sql`update projects set name = ${String(plainValue('name', text()))} where id = ${projectId}`
  const goneProject = await addProject(service.db, name, [], platformId)
  await addMember(service.db, goneProject, user.id, 'owner')
  await service.db.sql`update projects set deleted_at = now() where id = ${goneProject}`
  const things = {
    project: projectId,
    'deleted project': goneProject,
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
    view: view.id,
    'deleted tag': goneTag.tag.id,
    user: user.id,
    member: members.member.id,
    'removed member': leaving.id,
    invitation: invitationId,
    session: sessions[0]?.id as number,
    passkey: await addPasskey(service, user.id),
    theme: themeId,
    'theme version': await addVersion('draft'),
    'pending version': await addVersion('pending'),
    'approved version': await addVersion('approved'),
    'published version': await addVersion('published'),
    'deprecated version': await addVersion('deprecated'),
    'replacement version': await addVersion('published'),
    trial: await addTrial(service, projectId),
    subscription,
    payment: await addPayment(service, projectId, subscription),
    template: master.boardId,
    'template group': master.groupIds[0],
    'template card': master.cardIds[0] as number,
    'deleted template card': removed,
    'deleted template group': removedGroup.group.id,
    'deleted template': removedBoard.board.id,
    rollout: rollouts[0]?.id as number,
    audience: await addAudience(service, master.platformId, name),
    platform: master.platformId,
  }
  // Last, so that counting it in the background changes nothing any more.
  await service.db.transaction((queries) => countProjects(queries, [projectId]))
  return { projectId, user, things: { ...things, 'deleted thing': gone.board.id } }
}

export type Thing = keyof Awaited<ReturnType<typeof createThings>>['things']

/** What an operation accepts, where not any thing of the kind that it acts on will do. */
const fitting: Record<string, Thing> = {
  'master-boards/versions/restore': 'template',
  'master-boards/restore': 'deleted template',
  'master-groups/restore': 'deleted template group',
  'cards/reset': 'card of a template',
  'cards/stop-updates': 'card of a template',
  'cards/take-updates': 'card of a template',
  'campaigns/create': 'published version',
  'subscriptions/extend-trial': 'trial',
  'versions/publish': 'approved version',
  'versions/deprecate': 'published version',
  'versions/restore': 'deprecated version',
  'versions/approve': 'pending version',
  'versions/reject': 'pending version',
  'master-cards/restore': 'deleted template card',
}

interface Named {
  thing: Thing
  /** Of another project, where that is not the same kind of thing. */
  foreign?: Thing
  /** How one of another project is refused. */
  status: 403 | 404 | 422
  /** The same if the request also names the other project, where the operation acts in the request's project. */
  elsewhere?: 403
}

/** What an id field names beside the thing that the operation acts on. */
const beside: Record<string, Named> = {
  'cards/move/group_id': { thing: 'group', status: 403 },
  'cards/duplicate/group_id': { thing: 'group', status: 403 },
  'cards.group_id': { thing: 'group', status: 403 },
  'cards.owner_id': { thing: 'user', status: 422 },
  'cards.tag_id': { thing: 'tag', status: 422 },
  'activity/list/card_id': { thing: 'card', status: 403 },
  'presence/show/editing_card_id': { thing: 'card', status: 403 },
  'payments/get/id': { thing: 'payment', status: 404, elsewhere: 403 },
  'projects/restore/id': { thing: 'deleted project', status: 404 },
  'sessions/revoke/id': { thing: 'session', status: 404 },
  'passkeys/remove/id': { thing: 'passkey', status: 404 },
  'passkeys/rename/id': { thing: 'passkey', status: 404 },
  'users/set-ai/id': { thing: 'user', status: 404 },
  'users/demote/id': { thing: 'user', status: 404 },
  'users/reset-second-factor/id': { thing: 'user', status: 404 },
  'members/remove/user_id': { thing: 'member', status: 404, elsewhere: 403 },
  'members/restore/user_id': { thing: 'removed member', status: 404, elsewhere: 403 },
  'members/transfer-ownership/user_id': { thing: 'member', status: 404, elsewhere: 403 },
  'members/update-role/user_id': { thing: 'member', status: 404, elsewhere: 403 },
  'invitations/resend/id': { thing: 'invitation', status: 404, elsewhere: 403 },
  'invitations/revoke/id': { thing: 'invitation', status: 404, elsewhere: 403 },
  'master-cards/move/group_id': { thing: 'template group', status: 422 },
  'master-groups/reorder/groups.id': { thing: 'template group', status: 422 },
  'projects/preview/project_id': { thing: 'project', status: 422 },
  'projects/list/project_ids': { thing: 'project', status: 404 },
  'projects/list/template_id': { thing: 'template', status: 404 },
  'projects/list/version_id': { thing: 'published version', status: 404 },
  'rollouts/plan/card_id': { thing: 'template card', status: 422 },
  'rollouts/plan/project_ids': { thing: 'project', status: 422 },
  'filters.version_id': { thing: 'published version', status: 422 },
  'filters.template_id': { thing: 'template', status: 422 },
  'filters.project_ids': { thing: 'project', status: 422 },
  'stages.audience_id': { thing: 'audience', status: 422 },
  'rollouts/get-project/project_id': { thing: 'project', status: 422 },
  'plan/get-project/project_id': { thing: 'project', status: 422 },
  'rollouts/list/board_id': { thing: 'template', status: 404 },
  'admin/trash/list/board_id': { thing: 'template', status: 404 },
  // What another project has published may replace a version.
  'campaigns/create/replacement_id': { thing: 'replacement version', foreign: 'theme version', status: 422 },
  'campaigns/update/replacement_id': { thing: 'replacement version', status: 422 },
  'audiences/create/version_id': { thing: 'published version', status: 422 },
  'audiences/update/version_id': { thing: 'published version', status: 422 },
  audience_id: { thing: 'audience', status: 422 },
  template_id: { thing: 'template', status: 422 },
  project_ids: { thing: 'project', status: 422 },
  platform_id: { thing: 'platform', status: 403 },
  tag_id: { thing: 'tag', status: 422 },
  owner_id: { thing: 'user', status: 422 },
  comment_id: { thing: 'comment', status: 422 },
  card_ids: { thing: 'card', status: 422 },
  parent_comment_id: { thing: 'comment', status: 422 },
  // What another project has published may be chosen.
  'versions/choose/version_id': { thing: 'published version', foreign: 'theme version', status: 403 },
}

const isIdName = (name: string) => name === 'id' || name.endsWith('_id')
/** Texts with such a name, as the id of a stream, name nothing in the database. */
const isId = (name: string, schema: Schema) => isIdName(name) && typeOf(schema).type === 'integer'

/** The id fields of an operation: `id`, or `groups.id` inside a list. */
export const idFields = (fields: Fields, prefix = ''): string[] =>
  Object.entries(fields).flatMap(([name, schema]) => {
    if (typeOf(schema).type !== 'array') return isId(name, schema) ? [prefix + name] : []
    const entry: Schema = schema['items']
    if (typeOf(entry).type === 'object') return idFields(entry['properties'], `${prefix}${name}.`)
    return isIdName(name.replace(/s$/, '')) ? [prefix + name] : []
  })

export function nameOf({ path, on = {} }: Description, field: string): Named {
  const name = path.split('/').slice(-2).join('/')
  const longName = path.split('/').slice(-3).join('/')
  const acts = Object.entries(on).find(([, declared]) => declared === field)?.[0] as Thing | undefined
  if (acts) return { thing: fitting[longName] ?? fitting[name] ?? acts, status: 403 }
  const found = beside[`${longName}/${field}`] ?? beside[`${name}/${field}`] ?? beside[field]
  assert.ok(found, `${path} has a field ${field}: say in tests/things.ts what it names`)
  return found
}

/** A whole valid input: every id names a thing of the project, everything that is required is there. */
export function inputOf(
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
    else if (isId(name, schema)) input[name] = things[nameOf(operation, prefix + name).thing]
    else if (entry && isIdName(name.replace(/s$/, '')) && !isNullable)
      input[name] = [things[nameOf(operation, prefix + name).thing]]
    else if (!isNullable) input[name] = plainValue(name, schema)
  }
  return input
}

/** The input with a foreign id in one field; in a list, as an additional first and last entry. */
export function withForeign(
  input: Record<string, unknown>,
  field: string,
  id: number,
): Record<string, unknown>[] {
  const [name, inner] = field.split('.') as [string, string | undefined]
  if (inner === undefined && isIdName(name)) return [{ ...input, [name]: id }]
  if (inner === undefined) {
    const own = input[name] as number[] | undefined
    const lists = own ? [[id], [id, ...own], [...own, id]] : [[id]]
    return lists.map((ids) => ({ ...input, [name]: ids }))
  }
  const [entry] = input[name] as Record<string, unknown>[]
  const foreign = { ...entry, [inner]: id }
  // A list that names each thing once cannot also have the entry with its own id.
  const lists =
    inner !== 'id' && entry && 'id' in entry ? [[foreign]] : [[foreign], [foreign, entry], [entry, foreign]]
  return lists.map((entries) => ({ ...input, [name]: entries }))
}

/** Keeps the database as it is now, for tests of all operations: making their things takes longer than bringing them back. */
export async function keepDatabase({ db }: TestService) {
  const { sql } = db
  await eventually(async () =>
    assert.equal((await sql`select from jobs where run_at <= now() or holder is not null`).length, 0),
  )
  // Whatever jobs do would be taken for the work of a call; one that has failed is not hurried either.
  await sql`update jobs set run_at = 'infinity', attempts = 1`
  // A session notes every few minutes that it is used, whatever the call does.
  await sql`update sessions set last_used_at = now() + interval '1 day'`
  const kept = withoutAudit(await readContents(db))
  let last = kept
  /** Plans that were begun are made first. */
  const read = async () => {
    await eventually(async () =>
      assert.equal((await sql`select from rollouts where status in ('planning', 'running')`).length, 0),
    )
    last = withoutAudit(await readContents(db, last))
    return last
  }
  return {
    contents: read,
    assertUnchanged: async (since: Contents) => assert.deepEqual(differenceOf(since, await read()), {}),
    bringBack: async () => bringBack(db, kept, await read()),
  }
}

/** Refusals are written to the audit log when the caller has the answer already. */
const withoutAudit = (contents: Contents): Contents =>
  new Map([...contents].filter(([name]) => name !== 'audit_entries'))

/** A valid input without what may be left out, such as an id that tells the project; also in the entries of lists. */
export const requiredOf = (operation: Description, things: Record<Thing, number>) => ({
  ...withoutOptional(operation.input, inputOf(operation, things)),
  ...insteadOfThing[operation.path],
})

/** What is sent where no thing is named, if one of both is needed. */
const insteadOfThing: Record<string, object> = {
  '/services/operations/v1/operations/views/create': { page: pagesWithoutBoard[0] },
}

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
