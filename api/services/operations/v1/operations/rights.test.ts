// Who may call what on whose things, written out as docs/roles.md has it, for boards, groups, tags and the tour.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { post } from '#tests/post.ts'
import { startTestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const fixture = await createBoard(service, { cards: 1 })
const stranger = await createBoard(service)
const superadmin = await service.addUser({ superadmin: true })

type Least = 'viewer' | 'member' | 'admin'

interface Case {
  path: string
  least: Least
  success: 200 | 201
  /** What it acts on, made anew where the operation deletes it; none where it acts in the project of X-Project-Id. */
  input(): Promise<Record<string, unknown>>
  /** The input that names another id, and what an id that names nothing answers. */
  withId?: { input(id: unknown): Record<string, unknown>; missing: 404 | 422 }
}

const byId = { input: (id: unknown) => ({ id, title: 'T', name: 'T' }), missing: 404 } as const
const none = async () => ({})
const newBoard = async () =>
  (await fixture.admin.call(`${operations}/boards/create`, { title: 'Extra' })).board.id
const newGroup = async () =>
  (await fixture.admin.call(`${operations}/groups/create`, { board_id: fixture.boardId, title: 'Extra' }))
    .group.id
const newTag = async () => (await fixture.member.call(`${operations}/tags/create`, { name: 'Extra' })).tag.id
const places = (id: unknown) => ({ groups: [{ id, position: 1 }] })

const cases: Case[] = [
  { path: 'boards/create', least: 'admin', success: 201, input: async () => ({ title: 'Board' }) },
  { path: 'boards/list', least: 'viewer', success: 200, input: none },
  {
    path: 'boards/get',
    least: 'viewer',
    success: 200,
    input: async () => ({ id: fixture.boardId }),
    withId: byId,
  },
  {
    path: 'boards/update',
    least: 'admin',
    success: 200,
    input: async () => ({ id: await newBoard(), title: 'T' }),
    withId: byId,
  },
  {
    path: 'boards/delete',
    least: 'admin',
    success: 200,
    input: async () => ({ id: await newBoard() }),
    withId: byId,
  },
  {
    path: 'groups/create',
    least: 'admin',
    success: 201,
    input: async () => ({ board_id: fixture.boardId, title: 'T' }),
    withId: { input: (id) => ({ board_id: id, title: 'T' }), missing: 404 },
  },
  {
    path: 'groups/update',
    least: 'member',
    success: 200,
    input: async () => ({ id: await newGroup(), title: 'T' }),
    withId: byId,
  },
  {
    path: 'groups/reorder',
    least: 'member',
    success: 200,
    input: async () => places(await newGroup()),
    withId: { input: places, missing: 422 },
  },
  {
    path: 'groups/delete',
    least: 'admin',
    success: 200,
    input: async () => ({ id: await newGroup() }),
    withId: byId,
  },
  { path: 'tags/create', least: 'member', success: 201, input: async () => ({ name: 'T' }) },
  { path: 'tags/list', least: 'viewer', success: 200, input: none },
  {
    path: 'tags/update',
    least: 'member',
    success: 200,
    input: async () => ({ id: await newTag(), name: 'T' }),
    withId: byId,
  },
  {
    path: 'tags/delete',
    least: 'member',
    success: 200,
    input: async () => ({ id: await newTag() }),
    withId: byId,
  },
  { path: 'tour/cards/dismiss-all', least: 'member', success: 200, input: none },
]

const ranks = ['viewer', 'member', 'admin', 'owner'] as const
const inProject = (projectId: number) => ({ 'x-project-id': String(projectId) })
const call = (path: string, token: string, input: object, headers = {}) =>
  post(service, `${operations}/${path}`, token, input, headers)

/** Everything of the project that a write could have changed. */
async function everything() {
  const [row] = await service.db.sql`
    select (select json_agg(r order by id) from boards r where project_id = p.id)::text as boards,
      (select json_agg(r order by id) from groups r where project_id = p.id)::text as groups,
      (select json_agg(r order by id) from cards r where project_id = p.id)::text as cards,
      (select json_agg(r order by id) from tags r where project_id = p.id)::text as tags,
      (select count(*) from events where project_id = p.id) as events
    from projects p where p.id = ${fixture.projectId}`
  return row
}

for (const { path, least, success, input, withId } of cases) {
  test(`${path}: ${least}s and above, and superadmins of no project`, async () => {
    const expected = ranks.map((role) => (ranks.indexOf(role) >= ranks.indexOf(least) ? success : 403))
    const statuses = []
    for (const role of ranks)
      statuses.push((await call(path, fixture.members[role].token, await input())).status)
    assert.deepEqual(statuses, expected)
    const answer = await call(
      path,
      superadmin.token,
      await input(),
      withId ? {} : inProject(fixture.projectId),
    )
    assert.equal(answer.status, success)
  })

  test(`403 ${path} for the owner of another project, with ids and X-Project-Id of this one, and nothing changes`, async () => {
    const wanted = { superadmin: true, project_id: stranger.projectId, ...(await input()) }
    const before = await everything()
    const { token } = stranger.members.owner
    assert.equal((await call(path, token, wanted, inProject(fixture.projectId))).status, 403)
    // Without an id to act on it acts in the stranger's own project.
    assert.equal((await call(path, token, wanted)).status, withId ? 403 : success)
    assert.deepEqual(await everything(), before)
  })
}

test('403 for the owner of another project whose role here is one too low, and nothing changes', async () => {
  const below = { viewer: undefined, member: 'viewer', admin: 'member' } as const
  for (const { path, least, input } of cases.filter((entry) => below[entry.least])) {
    const here = below[least] as 'viewer' | 'member'
    const { token } = await service.addUser({
      roles: { [stranger.projectId]: 'owner', [fixture.projectId]: here },
    })
    const wanted = await input()
    const before = await everything()
    assert.equal((await call(path, token, wanted, inProject(fixture.projectId))).status, 403, path)
    assert.deepEqual(await everything(), before, path)
  }
})

for (const { path, withId } of cases.flatMap(({ path, withId }) => (withId ? [{ path, withId }] : [])))
  test(`${withId.missing} ${path} for ids that name nothing, 422 for what is no id`, async () => {
    for (const id of [0, -1, 999_999_999, 2 ** 31, Number.MAX_SAFE_INTEGER])
      for (const { token } of [fixture.members.owner, superadmin])
        assert.equal((await call(path, token, withId.input(id))).status, withId.missing, String(id))
    for (const id of [2 ** 53, '1', 1.5, null, {}])
      assert.equal((await call(path, fixture.members.owner.token, withId.input(id))).status, 422, String(id))
  })

test('a role in another project than the default one counts where the thing is', async () => {
  const roles = { [stranger.projectId]: 'viewer', [fixture.projectId]: 'admin' } as const
  const { token } = await service.addUser({ roles })
  assert.equal((await call('boards/update', token, { id: fixture.boardId, title: 'There' })).status, 200)
  assert.equal((await call('boards/update', token, { id: stranger.boardId, title: 'Here' })).status, 403)
  assert.equal(
    (await call('groups/create', token, { board_id: fixture.boardId, title: 'There' })).status,
    201,
  )
})

test('404 for the things of a project that is deleted, 403 for those who belong to no other', async () => {
  const gone = await createBoard(service)
  const { tag } = await gone.member.call(`${operations}/tags/create`, { name: 'Tag' })
  const roles = { [gone.projectId]: 'owner', [stranger.projectId]: 'owner' } as const
  const { token } = await service.addUser({ roles })
  await service.db.sql`update projects set deleted_at = now() where id = ${gone.projectId}`
  assert.equal((await call('boards/get', token, { id: gone.boardId })).status, 404)
  assert.equal((await call('groups/update', token, { id: gone.groupIds[0], title: 'T' })).status, 404)
  assert.equal((await call('tags/delete', token, { id: tag.id })).status, 404)
  assert.equal((await call('groups/reorder', token, places(gone.groupIds[0]))).status, 422)
  assert.equal((await call('boards/list', token, {}, inProject(gone.projectId))).status, 403)
  assert.equal((await call('boards/get', gone.members.owner.token, { id: gone.boardId })).status, 403)
})
