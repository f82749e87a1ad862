import assert from 'node:assert/strict'
import test from 'node:test'
import { readVersion } from '#templates/version/version.ts'
import { drawn } from '#tests/drawn.ts'
import { present } from '#tests/master.ts'
import { readsOf } from '#tests/reads.ts'
import { startTestService } from '#tests/service.ts'
import { addProjects, admin, createMaster } from '#tests/templates/fleet.ts'
import { apply, removeCopies } from './apply.ts'

const tables = ['cards', 'groups']

for (const known of drawn([5, 50, 500]))
  test(`a batch is read by its keys, also when PostgreSQL last counted at ${known} projects`, async () => {
    const { db, ...service } = await startTestService()
    const user = await service.addUser({ superadmin: true })
    const superadmin = service.client(user.token)
    const { boardId, cardIds, groupIds } = await createMaster(superadmin, { cards: 10 })
    const [first, second] = cardIds as [number, number]
    const projectIds: number[] = []
    const syncTo = async (count: number) => {
      projectIds.push(...(await addProjects(db, count)))
      await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
    }
    await syncTo(known)
    await db.sql`analyze`
    await syncTo(1_500)
    const place = { group_id: groupIds[0] as number, position: 1 }
    await superadmin.call(`${admin}/master-cards/update`, { id: first, title: 'New' })
    await superadmin.call(`${admin}/master-cards/move`, { id: second, ...place })
    await superadmin.call(`${admin}/master-cards/create`, { group_id: groupIds[1] as number, title: 'More' })
    const publish = async () => {
      await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })
      const { revision } = present(await readVersion(db, boardId))
      return { boardId, cardId: null, revision, rolloutId: null }
    }
    const changed = await publish()

    const projects = projectIds.slice(0, 300)
    const applying = await readsOf(db, tables, async (queries) =>
      assert.equal((await apply(queries, changed, projects)).changes.length, projects.length),
    )
    assert.ok(applying <= 20 * projects.length, `${applying} reads for three cards in each of 300 projects`)
    await db.sql`
      insert into comments (project_id, card_id, user_id, comment, deleted_at)
      select project_id, id, ${user.id}, 'Words', case when master_card_id <> ${first} then now() end
      from cards where project_id = any(${projects}::bigint[])`
    await superadmin.call(`${admin}/master-cards/delete`, { id: first })
    await publish()
    const removing = await readsOf(db, tables, async (queries) =>
      assert.equal(
        (await removeCopies(queries, first, projects, { rolloutId: 0, actorId: user.id })).length,
        projects.length,
      ),
    )
    assert.ok(removing <= 3 * projects.length, `${removing} reads to remove a card from 300 projects`)
    await db.sql`update master_cards set withdrawn_revision = revision where id = ${first}`
    await superadmin.call(`${admin}/master-cards/restore`, { id: first })
    const restored = await publish()
    const restoring = await readsOf(db, [...tables, 'comments'], async (queries) =>
      assert.equal((await apply(queries, restored, projects)).changes.length, projects.length),
    )
    assert.ok(restoring <= 12 * projects.length, `${restoring} reads to restore a card in 300 projects`)
  })
