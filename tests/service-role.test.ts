// The service uses a database role that may change rows only; the owner of the tables migrates them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { demoPassword } from '../demo/accounts.ts'
import { demoDirectory, serve, withDatabaseOf } from './process.ts'

const operations = '/services/operations/v1'

test('the embedded database serves requests with a role that is no superuser and owns nothing', async () => {
  const directory = await demoDirectory()
  const service = await serve({ CARDINAL_DATA_DIR: directory })
  const superadmin = service.client(await service.signIn('superadmin@cardinal.test', demoPassword))
  const { boards } = await superadmin.call(`${operations}/admin/master-boards/list`)
  const boardId = boards.find(({ is_active }) => is_active)?.id as number
  await superadmin.call(`${operations}/admin/master-boards/update`, { id: boardId, title: 'Renamed' })
  await superadmin.call(`${operations}/admin/master-boards/sync`, { board_id: boardId })
  const owner = service.client(await service.signIn('owner@acme.test', demoPassword))
  await owner.call(`${operations}/operations/cards/create`, { title: 'A card' })
  assert.equal((await fetch(`${service.url}/api/health/ready`)).status, 200)

  await withDatabaseOf(directory, async ({ sql }) => {
    const connected = await sql<{ name: string; is_superuser: boolean }[]>`
      select distinct r.rolname as name, r.rolsuper as is_superuser from pg_stat_activity a
      join pg_roles r on r.oid = a.usesysid where a.backend_type = 'client backend' and a.pid <> pg_backend_pid()`
    assert.deepEqual([...connected], [{ name: 'cardinal_service', is_superuser: false }])
    await sql.unsafe('set role cardinal_service')
    for (const statement of [
      'create table mine ()',
      'alter table users add mine text',
      'drop table users',
      'delete from schema_migrations',
      "update audit_entries set details = '{}'",
      'delete from audit_entries',
      'truncate audit_entries',
      'update audit_retention set days = 1',
      'delete from audit_retention',
      'select * from pg_authid',
      "copy users to '/tmp/users'",
      "copy users to program 'cat'",
    ])
      await assert.rejects(sql.unsafe(statement), /permission denied|must be owner/, statement)
    // Old entries go by a function, which tables of the role's own do not mislead.
    await sql.unsafe('create temporary table audit_retention as select -1 as days')
    const count = async () => (await sql`select from audit_entries`).length
    const before = await count()
    await sql`insert into audit_entries (kind, source, at) values ('user.added', 'api', now() - interval '366 days')`
    assert.deepEqual([...(await sql`select forget_audit(10) as count`)], [{ count: 1 }])
    assert.ok(before > 0 && before === (await count()))
  })
  assert.equal(await service.stop(), 0)
})
