import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import {
  type Audience,
  inPlatform,
  isOf,
  may,
  type Permission,
  permissions,
  permitted,
  type Role,
  roleMay,
  roles,
} from './roles.ts'

const names = Object.keys(permissions) as Permission[]
const nobody = { superadmin: false, superadminBilling: false }
const superadmin = { superadmin: true, superadminBilling: false }
const withBilling = { superadmin: true, superadminBilling: true }

/** The roles that each permission takes. */
const table: Record<Permission, Role[]> = {
  read: ['viewer', 'member', 'admin', 'owner'],
  work: ['member', 'admin', 'owner'],
  'delete any card': ['admin', 'owner'],
  manage: ['admin', 'owner'],
  'manage members': ['admin', 'owner'],
  'remove members': ['admin', 'owner'],
  'transfer ownership': ['owner'],
  'delete the project': ['owner'],
  'manage themes': ['admin', 'owner'],
  upgrade: ['owner'],
  'see the audit log': ['owner'],
}

test('each role may do what the table says, and a member of nothing may do nothing', () => {
  assert.deepEqual(Object.keys(table), names)
  for (const permission of names) {
    assert.deepEqual(
      roles.filter((role) => roleMay(role, permission)),
      table[permission],
      permission,
    )
    assert.equal(roleMay(null, permission), false)
    assert.deepEqual(
      roles.filter((role) => may(nobody, role, permission)),
      table[permission],
      permission,
    )
    assert.equal(may({ ...nobody, superadminBilling: true }, null, permission), false)
  }
})

test('a superadmin may do everything without a role, except upgrade without billing', () => {
  for (const permission of names) {
    assert.equal(may(superadmin, null, permission), permission !== 'upgrade', permission)
    assert.equal(may(withBilling, null, permission), true, permission)
  }
  assert.equal(may(superadmin, 'owner', 'upgrade'), true)
  assert.equal(may(superadmin, 'admin', 'upgrade'), false)
})

test('an audience is everyone, superadmins, superadmins with billing, or a permission', () => {
  const audiences: Audience[] = ['signed in', 'superadmin', 'superadmin with billing', 'upgrade']
  const table = [nobody, { ...nobody, superadminBilling: true }, superadmin, withBilling].map((user) =>
    audiences.map((audience) => isOf(audience, user, null)),
  )
  assert.deepEqual(table, [
    [true, false, false, false],
    [true, false, false, false],
    [true, true, false, false],
    [true, true, true, true],
  ])
  assert.equal(isOf('upgrade', nobody, 'owner'), true)
})

test('a superadmin of one platform is an ordinary user in the others', () => {
  const ofAll = { id: 7, ...withBilling, superadminPlatformId: null }
  const ofOne = { id: 7, ...withBilling, superadminPlatformId: 1 }
  assert.deepEqual(inPlatform(ofAll, 2), ofAll)
  assert.deepEqual(inPlatform(ofOne, 1), ofOne)
  for (const other of [2, null])
    assert.deepEqual(inPlatform(ofOne, other), { id: 7, ...nobody, superadminPlatformId: 1 })
})

test('docs/roles.md has a row for each permission', async () => {
  const docs = await readFile(new URL('../docs/roles.md', import.meta.url), 'utf8')
  for (const permission of names)
    assert.ok(docs.includes(`| **${permission}**: ${permitted[permission]} |`), permission)
})
