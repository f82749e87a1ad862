// Replaces every id of every operation by one of another project: the call is refused, and the database is unchanged.
import assert from 'node:assert/strict'
import test, { afterEach } from 'node:test'
import { operations, registry } from '#api/registry.ts'
import type { Description } from '#contract/operation.ts'
import { type Permission, permissions, type Role, roles, staysWhenArchived } from '#identity/roles.ts'
import { createMaster } from './master.ts'
import { sender } from './post.ts'
import { startTestService } from './service.ts'
import { createThings, idFields, inputOf, keepDatabase, nameOf, requiredOf, withForeign } from './things.ts'

const service = await startTestService({ inbox: false, figures: false })

const master = await createMaster(service, { projects: 0, cards: 1 })
const own = await createThings(service, master)
const theirs = await createThings(service, master)
const support = await service.addUser({ superadmin: true, superadminBilling: true })
const { contents, assertUnchanged, bringBack } = await keepDatabase(service)
afterEach(bringBack)

const here = { 'x-project-id': String(own.projectId) }
const elsewhere = { 'x-project-id': String(theirs.projectId) }
const isForSuperadmins = ({ audience }: Description) => String(audience).startsWith('superadmin')

for (const operation of operations.filter((one) => !isForSuperadmins(one)))
  for (const field of idFields(operation.input))
    test(`${operation.path}: ${field} of another project`, async () => {
      const { thing, foreign: foreignThing = thing, ...refused } = nameOf(operation, field)
      const send = sender(service, own.user.token, operation.path)
      const input = inputOf(operation, own.things)
      const before = await contents()
      for (const foreign of withForeign(input, field, theirs.things[foreignThing]))
        for (const headers of [{}, elsewhere]) {
          const answer = await send('', foreign, headers)
          const status = headers === elsewhere ? (refused.elsewhere ?? refused.status) : refused.status
          assert.equal(answer.status, status, JSON.stringify(answer.body))
          const failing = Object.keys(answer.body.errors ?? {}).map((name) => name.replace(/\.\d+/, ''))
          assert.deepEqual(failing, status === 422 ? [field] : [])
        }
      await assertUnchanged(before)
      // The same call with the own id is accepted, so the foreign id was the reason for the refusal.
      const accepted = await send('', input)
      assert.equal(accepted.status, operation.success, JSON.stringify(accepted.body))
    })

for (const operation of operations.filter(isForSuperadmins))
  test(`403 ${operation.path} for the owner of a project, whatever the ids`, async () => {
    const before = await contents()
    for (const id of [1, own.things.board, theirs.things.board]) {
      const ids = Object.fromEntries(idFields(operation.input).map((field) => [field, id]))
      assert.equal((await sender(service, own.user.token, operation.path)('', ids)).status, 403)
    }
    await assertUnchanged(before)
  })

/** Operations that take their project from the header or the user, because no id names it. */
const inCurrentProject = operations.filter(
  (operation) =>
    !isForSuperadmins(operation) && (typeof operation.on === 'string' || 'or' in (operation.on ?? {})),
)

for (const operation of inCurrentProject)
  test(`403 ${operation.path} in the project of X-Project-Id that is another's`, async () => {
    const required = requiredOf(operation, own.things)
    const send = sender(service, own.user.token, operation.path)
    const before = await contents()
    assert.equal((await send('', required, elsewhere)).status, 403)
    await assertUnchanged(before)
    assert.equal((await send('', required)).status, operation.success)
  })

/** What needs more than the least role, with the role below the one that it needs. */
const aboveViewers = operations.flatMap((operation) => {
  const least = permissions[operation.audience as Permission]?.least
  const below = least && roles[roles.indexOf(least) - 1]
  return operation.on !== undefined && below ? [{ operation, below, least }] : []
})

/** Why the role that an operation needs may not be enough: the thing was made by somebody else. */
const ofOthers = ['not_your_card', 'not_your_comment', 'only_managers', 'owner_needed']

for (const { operation, below, least } of aboveViewers)
  test(`403 ${operation.path} for a ${below} there who owns another project`, async () => {
    const isOnThing = typeof operation.on === 'object'
    const input = (isOnThing ? inputOf : requiredOf)(operation, own.things)
    const senderAs = async (role: Role) => {
      const user = await service.addUser({ roles: { [theirs.projectId]: 'owner', [own.projectId]: role } })
      return sender(service, user.token, operation.path)
    }
    const send = await senderAs(below)
    const before = await contents()
    for (const headers of isOnThing ? [here, undefined] : [here])
      assert.equal((await send('', input, headers)).status, 403)
    await assertUnchanged(before)
    const { status, headers, body } = await (await senderAs(least))('', input, here)
    // Some leave to members only what they have made themselves, and say so.
    const isForOtherReason = ofOthers.includes(headers.get('x-error-code') as string)
    assert.ok(isForOtherReason || status === operation.success, JSON.stringify(body))
  })

for (const { operation } of aboveViewers.filter(({ operation }) => operation.writes))
  test(`403 ${operation.path} for a superadmin who opened the project as support, for reading only`, async () => {
    const isOnThing = typeof operation.on === 'object'
    const input = (isOnThing ? inputOf : requiredOf)(operation, own.things)
    const send = sender(service, support.token, operation.path)
    const visit = (with_changes: boolean) =>
      service.client(support.token).call('/services/operations/v1/admin/projects/open-as-support', {
        ...{ id: own.projectId, reason: 'Ticket 1', with_changes },
      })
    await visit(false)
    const before = await contents()
    for (const headers of isOnThing ? [here, {}] : [here]) {
      const refused = await send('', input, headers)
      assert.deepEqual([refused.status, refused.headers.get('x-error-code')], [403, 'support_read_only'])
    }
    await assertUnchanged(before)
    await visit(true)
    const { status, headers, body } = await send('', input, here)
    // Superadmins cannot edit what others wrote either.
    const isForOtherReason = headers.get('x-error-code') === 'not_your_comment'
    assert.ok(isForOtherReason || status === operation.success, JSON.stringify(body))
  })

const [staying, refused] = [true, false].map((stays) =>
  aboveViewers.filter(
    ({ operation: { writes, audience } }) => writes && staysWhenArchived(audience as Permission) === stays,
  ),
) as [typeof aboveViewers, typeof aboveViewers]
const setArchived = (isArchived: boolean) =>
  service.db
    .sql`update projects set archived_at = case when ${isArchived} then now() end where id = ${own.projectId}`

for (const { operation } of refused)
  test(`403 ${operation.path} in an archived project`, async () => {
    const isOnThing = typeof operation.on === 'object'
    const input = (isOnThing ? inputOf : requiredOf)(operation, own.things)
    const send = sender(service, own.user.token, operation.path)
    await setArchived(true)
    const before = await contents()
    for (const by of [send, sender(service, support.token, operation.path)])
      for (const headers of isOnThing ? [here, {}] : [here]) {
        const answer = await by('', input, headers)
        assert.deepEqual([answer.status, answer.headers.get('x-error-code')], [403, 'project_archived'])
      }
    await assertUnchanged(before)
    await setArchived(false)
    assert.equal((await send('', input, here)).status, operation.success)
  })

for (const { operation } of staying)
  test(`${operation.success} ${operation.path} in an archived project too`, async () => {
    await setArchived(true)
    const input = inputOf(operation, own.things)
    const { status, body } = await sender(service, own.user.token, operation.path)('', input, here)
    assert.equal(status, operation.success, JSON.stringify(body))
  })

test('an id field without an explanation fails', () => {
  const unknown = { ...operations[0], path: '/services/x/v1/things/get', input: {} } as Description
  assert.throws(() => nameOf(unknown, 'id'), /say in tests\/things.ts what it names/)
  assert.throws(() => nameOf(unknown, 'thing_id'), /say in tests\/things.ts what it names/)
})

test('the ids inside lists are found', () => {
  const reorder = registry['/services/operations/v1/operations/groups/reorder']
  assert.deepEqual(idFields(reorder.input), ['groups.id'])
  assert.ok(inCurrentProject.length >= 5)
})
