// Coverage of a template: up to date, behind, failed, missing and opted out are distinct, and add up.
import assert from 'node:assert/strict'
import test from 'node:test'
import { recountCoverage } from '#coverage/counts.ts'
import { addTool } from '#projects/tools.ts'
import { assertCoverageTrue } from '#tests/coverage.ts'
import { coverageNames, createMaster, type MasterFixture, present, type Receiver } from '#tests/master.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects } from '#tests/templates/fleet.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const service = await startTestService()
const { sql } = service.db

/** Reads a template's numbers, which are the same on its page and in the list, and add up. */
async function numbersOf({ admin, boardId }: MasterFixture) {
  const { board: whole } = await admin.call(`${masters}/master-boards/get`, { id: boardId })
  const { boards } = await admin.call(`${masters}/master-boards/list`)
  const listed = present(boards.find(({ id }) => id === boardId))
  const [read, inList] = [whole, listed].map((board) =>
    Object.fromEntries(coverageNames.map((name) => [name.replace('_count', ''), board[name]])),
  ) as [Record<string, number>, Record<string, number>]
  assert.deepEqual(inList, read)
  const { access = 0, up_to_date = 0, behind = 0, missing = 0, refused = 0, opted_out = 0 } = read
  assert.equal(up_to_date + behind + missing + refused + opted_out, access)
  return read
}

const all = (count: number) => ({
  access: count,
  covered: count,
  up_to_date: count,
  behind: 0,
  missing: 0,
  refused: 0,
  opted_out: 0,
})

const rowsOf = async ({ boardId }: MasterFixture) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from events where kind like 'template%' and board_id in (select id from boards where master_board_id = ${boardId})`
  return row?.count as number
}
async function assertSyncChangesNothing(master: MasterFixture) {
  const before = await rowsOf(master)
  await master.sync()
  assert.equal(await rowsOf(master), before)
}

async function createSynced(projects = 3) {
  const master = await createMaster(service, { projects, cards: 3 })
  await master.sync()
  assert.deepEqual(await numbersOf(master), all(projects))
  return master
}

/** Changes the first card and publishes the template. */
async function change(master: MasterFixture, input: object) {
  await master.admin.call(`${masters}/master-cards/update`, { id: present(master.cardIds[0]), ...input })
  await master.publish()
}

test('each project with access is in exactly one state', async () => {
  const master = await createMaster(service, { projects: 5 })
  const [fine, behind, refusing, optedOut, without] = master.projects as [
    Receiver,
    Receiver,
    Receiver,
    Receiver,
    Receiver,
  ]
  assert.deepEqual(await numbersOf(master), { ...all(0), access: 5, missing: 5 })
  await master.sync()
  await optedOut.client.call(`${operations}/boards/delete`, { id: (await master.copyIn(optedOut)).id })
  await sql`update projects set tool_keys = '[]' where id = ${without.id}`
  await recountCoverage(service.db)
  const { id } = present(await behind.cardOf(present(master.cardIds[0])))
  await behind.client.call(`${operations}/cards/delete`, { id })
  await change(master, { title: 'New' })
  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${refusing.id}) not valid`)
  const answer = await master.sync()
  assert.deepEqual(answer, { synced_count: 2, skipped_no_access: 1 })
  await behind.client.call(`${operations}/cards/restore`, { id })
  await service.addProject('Came later', [master.toolKey])
  const numbers = { access: 5, covered: 3, up_to_date: 1, behind: 1, missing: 1, refused: 1, opted_out: 1 }
  assert.deepEqual(await numbersOf(master), numbers)
  assert.equal((await master.whole()).projects_count, 4)
  assert.equal(present((await fine.cardOf(present(master.cardIds[0])))?.title), 'New')

  // The next rollout that succeeds in a project clears its refusal.
  await sql.unsafe('alter table cards drop constraint refused')
  await master.sync()
  assert.deepEqual(await numbersOf(master), { ...all(4), access: 5, opted_out: 1 })
})

test('a rollout that is stopped after 3 of 503: 3 up to date, and 500 have not received it', async () => {
  const master = await createSynced(3)
  await addProjects(service.db, 500, [master.toolKey])
  assert.deepEqual(await numbersOf(master), { ...all(3), access: 503, missing: 500 })
})

test('a project that never had the board and refuses it is refused, and not missing; only a retry that succeeds ends that', async () => {
  const master = await createMaster(service, { projects: 2, cards: 2 })
  const refusing = present(master.projects[0])
  await sql.unsafe(`alter table boards add constraint refused check (project_id <> ${refusing.id}) not valid`)
  await master.sync()
  assert.deepEqual(await numbersOf(master), { ...all(1), access: 2, refused: 1 })
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  const id = present(master.cardIds[0])
  await master.admin.call(`${masters}/master-cards/delete`, { id, delete_from_projects: true })
  assert.deepEqual(await numbersOf(master), { ...all(1), access: 2, refused: 1 })
  await assertCoverageTrue(service.db)
  await sql.unsafe('alter table boards drop constraint refused')
  await master.admin.call(`${masters}/rollouts/retry`, { id: present(rollouts[0]).id })
  assert.deepEqual(await numbersOf(master), all(2))
})

test('after a card is deleted, everywhere or in the template alone, nobody is behind, and a sync changes nothing', async () => {
  const master = await createSynced()
  const [first, second] = master.cardIds as [number, number]
  await master.admin.call(`${masters}/master-cards/delete`, { id: first, delete_from_projects: true })
  assert.deepEqual(await numbersOf(master), all(3))
  await master.admin.call(`${masters}/master-cards/delete`, { id: second })
  assert.deepEqual(await numbersOf(master), all(3))
  await assertSyncChangesNothing(master)
})

test('after a card is deleted and restored nobody is behind, and a sync changes nothing', async () => {
  const master = await createSynced()
  const id = present(master.cardIds[1])
  await master.admin.call(`${masters}/master-cards/delete`, { id })
  await master.admin.call(`${masters}/master-cards/restore`, { id })
  assert.deepEqual(await numbersOf(master), all(3))
  await assertSyncChangesNothing(master)
  assert.deepEqual(await numbersOf(master), all(3))
})

test('what is never rolled out leaves nobody behind: inactive cards, the status of a card that projects have', async () => {
  const master = await createSynced()
  await master.admin.call(`${masters}/master-cards/create`, {
    group_id: master.groupIds[0],
    title: 'Not yet',
    is_active: false,
  })
  await change(master, { status: 'closed' })
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, is_active: false })
  await master.admin.call(`${masters}/master-boards/update`, { id: master.boardId, is_active: true })
  assert.deepEqual(await numbersOf(master), all(3))
  await assertSyncChangesNothing(master)
})

test('a change leaves everybody behind, and the rollout of that one card brings them up to date', async () => {
  const master = await createSynced()
  const [first, second] = master.cardIds as [number, number]
  const nobody = { ...all(3), up_to_date: 0, behind: 3 }
  await change(master, { title: 'New' })
  assert.deepEqual(await numbersOf(master), nobody)
  assert.equal(await master.push(first), 3)
  assert.deepEqual(await numbersOf(master), all(3))
  await assertSyncChangesNothing(master)
  await master.addCard({ title: 'Added', push_to_projects: true })
  assert.deepEqual(await numbersOf(master), all(3))
  // With another change beside it the projects are still behind.
  await master.admin.call(`${masters}/master-cards/update`, { id: second, title: 'Newer' })
  await change(master, { title: 'Newer' })
  assert.equal(await master.push(first), 3)
  assert.deepEqual(await numbersOf(master), nobody)
  assert.equal(await master.push(second), 3)
  assert.deepEqual(await numbersOf(master), all(3))
  await assertSyncChangesNothing(master)
})

test('a draft leaves nobody behind', async () => {
  const master = await createSynced()
  await master.admin.call(`${masters}/master-cards/update`, {
    id: present(master.cardIds[0]),
    title: 'Draft',
  })
  await master.addCard({ title: 'Draft' })
  assert.deepEqual(await numbersOf(master), all(3))
  await master.publish()
  assert.deepEqual(await numbersOf(master), { ...all(3), up_to_date: 0, behind: 3 })
})

test('a change that is taken back leaves nobody behind, unless projects received it in between', async () => {
  const master = await createSynced()
  const id = present(master.cardIds[0])
  const title = present((await master.admin.call(`${masters}/master-cards/get`, { id })).card.title)
  await change(master, { title: 'For a moment' })
  await change(master, { title })
  assert.deepEqual(await numbersOf(master), all(3))
  await assertSyncChangesNothing(master)

  await change(master, { title: 'Received' })
  await master.push(id)
  await change(master, { title })
  assert.deepEqual(await numbersOf(master), { ...all(3), up_to_date: 0, behind: 3 })
  await master.sync()
  assert.deepEqual(await numbersOf(master), all(3))
})

test('cards and groups that are moved away and back leave nobody behind and move nothing in projects', async () => {
  const master = await createSynced()
  const { admin, boardId } = master
  const [first, second, third] = master.cardIds as [number, number, number]
  const place = (id: number, position: number) => admin.call(`${masters}/master-cards/move`, { id, position })
  const { group } = await admin.call(`${masters}/master-groups/create`, { board_id: boardId, title: 'Later' })
  await master.publish()
  await master.sync()
  assert.deepEqual(await numbersOf(master), all(3))

  for (const id of [first, second]) await place(id, 3)
  await place(second, 1)
  await place(first, 1)
  await admin.call(`${masters}/master-cards/move`, { id: third, group_id: group.id })
  const { card } = await admin.call(`${masters}/master-cards/get`, { id: first })
  await admin.call(`${masters}/master-cards/move`, { id: third, group_id: card.group_id })
  for (const position of [1, 3])
    await admin.call(`${masters}/master-groups/reorder`, {
      board_id: boardId,
      groups: [{ id: group.id, position }],
    })
  await assert.rejects(master.publish(), /no draft changes/)
  await assertSyncChangesNothing(master)

  await place(second, 1)
  await master.publish()
  await place(second, 2)
  await master.publish()
  assert.deepEqual(await numbersOf(master), all(3))
  await assertSyncChangesNothing(master)
})

test('a project that refused to delete a card has refused until a retry deletes it', async () => {
  const master = await createSynced()
  const id = present(master.cardIds[0])
  const refusing = present(master.projects[0])
  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${refusing.id}) not valid`)
  await master.admin.call(`${masters}/master-cards/delete`, { id, delete_from_projects: true })
  assert.deepEqual(await numbersOf(master), { ...all(3), up_to_date: 2, refused: 1 })
  await sql.unsafe('alter table cards drop constraint refused')
  const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
  await master.admin.call(`${masters}/rollouts/retry`, { id: present(rollouts[0]).id })
  assert.deepEqual(await numbersOf(master), all(3))
})

test('a project that refused a card is behind until it has received it, also after another card came there', async () => {
  const master = await createSynced()
  const [first, second] = master.cardIds as [number, number]
  const refusing = present(master.projects[0])
  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${refusing.id}) not valid`)
  await change(master, { title: 'New' })
  assert.equal(await master.push(first), 2)
  assert.deepEqual(await numbersOf(master), { ...all(3), up_to_date: 2, refused: 1 })
  await sql.unsafe('alter table cards drop constraint refused')
  await master.admin.call(`${masters}/master-cards/update`, { id: second, title: 'New' })
  assert.equal(await master.push(second), 3)
  assert.deepEqual(await numbersOf(master), { ...all(3), up_to_date: 2, behind: 1 })
  await master.sync()
  assert.deepEqual(await numbersOf(master), all(3))
})

test('a card that is all of a template brings it whole', async () => {
  const master = await createMaster(service, { projects: 2, cards: 1 })
  await master.admin.call(`${masters}/master-groups/delete`, { id: master.groupIds[1] })
  await master.push(present(master.cardIds[0]))
  assert.deepEqual(await numbersOf(master), all(2))
  await assertSyncChangesNothing(master)
  const larger = await createMaster(service, { projects: 2, cards: 2 })
  await larger.push(present(larger.cardIds[0]))
  // The other card is a draft.
  assert.deepEqual(await numbersOf(larger), all(2))
  await larger.publish()
  assert.deepEqual(await numbersOf(larger), { ...all(2), up_to_date: 0, behind: 2 })
})

test('a card that a project deletes and restores is behind only if its template changed meanwhile', async () => {
  const master = await createSynced(1)
  const project = present(master.projects[0])
  const { id } = present(await project.cardOf(present(master.cardIds[0])))
  await project.client.call(`${operations}/cards/delete`, { id })
  await project.client.call(`${operations}/cards/restore`, { id })
  assert.deepEqual(await numbersOf(master), all(1))
  await project.client.call(`${operations}/cards/delete`, { id })
  await change(master, { title: 'New' })
  await master.sync()
  assert.deepEqual(await numbersOf(master), all(1))
  await project.client.call(`${operations}/cards/restore`, { id })
  assert.deepEqual(await numbersOf(master), { ...all(1), up_to_date: 0, behind: 1 })
  await master.sync()
  assert.equal(present(await project.cardOf(present(master.cardIds[0]))).title, 'New')
})

test('synced_count leaves out who has opted out, and the record says so', async () => {
  const master = await createSynced()
  const optedOut = present(master.projects[1])
  await optedOut.client.call(`${operations}/boards/delete`, { id: (await master.copyIn(optedOut)).id })
  const outcomes = async () => {
    const { rollouts } = await master.admin.call(`${masters}/rollouts/list`, { board_id: master.boardId })
    const { counts, id } = present(rollouts[0])
    const { results } = await master.admin.call(`${masters}/rollouts/get`, { id, outcome: 'opted_out' })
    assert.deepEqual(
      results.map(({ project_id }) => project_id),
      [optedOut.id],
    )
    return [counts.changed, counts.unchanged, counts.opted_out]
  }
  assert.equal((await master.sync()).synced_count, 2)
  assert.deepEqual(await outcomes(), [0, 2, 1])
  await change(master, { title: 'New' })
  assert.equal((await master.sync()).synced_count, 2)
  assert.deepEqual(await outcomes(), [2, 0, 1])
  await change(master, { title: 'Newer' })
  assert.equal(await master.push(present(master.cardIds[0])), 2)
  assert.deepEqual(await outcomes(), [2, 0, 1])
})

test('the kept counts stay exact while rollouts run, fail and are repeated, and projects gain products and delete and restore copies', async () => {
  const master = await createMaster(service, { projects: 6 })
  await recountCoverage(service.db)
  await master.sync()
  const [refusing, ...others] = master.projects as [Receiver, ...Receiver[]]
  await sql.unsafe(`alter table cards add constraint refused check (project_id <> ${refusing.id}) not valid`)
  for (let round = 1; round <= 3; round++) {
    await change(master, { title: `Round ${round}` })
    if (round === 3) await sql.unsafe('alter table cards drop constraint refused')
    await Promise.all([
      master.sync(),
      master.push(present(master.cardIds[0])),
      ...others.map(async ({ id, client }) => {
        const [copy] = await sql<{ id: number }[]>`
          select id from boards where project_id = ${id} and master_board_id = ${master.boardId}`
        await client.call(`${operations}/boards/delete`, { id: present(copy).id })
        await service.db.transaction((queries) => addTool(queries, id, `extra-${round}`))
        await client.call(`${operations}/boards/restore`, { id: present(copy).id })
      }),
    ])
    await assertCoverageTrue(service.db)
  }
})
