import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openAs, openWindow } from '#tests/browser.ts'
import { linkIn, startMailServer } from '#tests/mail-server.ts'
import { eventually } from '#tests/process.ts'
import { password, startTestService } from '#tests/service.ts'

const server = await startMailServer()
const service = await startTestService({ mail: server.mail })
const base = '/services/identity/v1'

async function scene() {
  const projectId = await service.addProject('Garden')
  const owner = await service.addUser({ roles: { [projectId]: 'owner' } })
  return { projectId, owner, client: service.client(owner.token) }
}

/** Invites an address without the page. */
async function invite(email: string, role: 'member' | 'admin' = 'member') {
  const made = await scene()
  const { invitations } = await made.client.call(`${base}/invitations/create`, { emails: [email], role })
  const link = linkIn(await server.newest(email), '/invitation')
  return { ...made, link, invitationId: invitations[0]?.id as number }
}

test('an owner invites people; one signs up by the link of the mail and is in the list, gets a role, is removed and comes back', async (t) => {
  const { projectId, owner } = await scene()
  const page = await openAs(t, owner, `/p/${projectId}/home`, { on: service, expected: /422/ })
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('heading', { name: "You're the only one here" }).waitFor()
  await assertAccessible(page, 'members, alone')
  await page.getByRole('button', { name: 'Invite people…' }).click()
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('Enter at least one email address.').waitFor()
  await page.getByLabel('Email addresses').fill('ada@garden.test, nonsense')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText("“nonsense” isn't a valid email address.").waitFor()
  await assertAccessible(page, 'invite people')
  await page
    .getByLabel('Email addresses')
    .fill(`"Lovelace, Ada" <ada@garden.test>, Grace Hopper <grace@garden.test>; ${owner.email}`)
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('2 invitations sent').waitFor()
  await page.getByText(`${owner.email} is already a member`).waitFor()
  await page.getByRole('heading', { name: 'Pending invitations' }).waitFor()
  await assertAccessible(page, 'members with invitations')

  const link = linkIn(await server.newest('ada@garden.test'), '/invitation')
  // 403 while she is removed.
  const { page: ada } = await openWindow(t, { on: service, expected: /40[013]|422/ })
  const addresses: string[] = []
  ada.on('request', (request) => addresses.push(request.url(), request.headers()['referer'] ?? ''))
  await ada.goto(link)
  await ada.getByText('invited ada@garden.test to Garden as viewer.').waitFor()
  assert.equal(new URL(ada.url()).hash, '')
  await ada.getByRole('button', { name: 'Create account and join' }).click()
  await ada.getByText('Enter your name.').waitFor()
  await assertAccessible(ada, 'invitation, new person')
  await ada.getByLabel('Your name').fill('Ada Lovelace')
  await ada.getByLabel('Password').fill('tall oaks hum at noon')
  await ada.getByRole('button', { name: 'Create account and join' }).click()
  await ada.getByRole('button', { name: 'Garden', exact: true }).waitFor()
  const secret = link.split('#')[1] as string
  assert.deepEqual(
    addresses.filter((address) => address.split('#')[0]?.includes(secret)),
    [],
  )

  // The list of the owner follows.
  const role = page.getByRole('combobox', { name: 'Role of Ada Lovelace' })
  await role.waitFor()
  // A row is one line.
  const row = page.getByRole('listitem').filter({ has: role })
  const middles = await Promise.all(
    [row.locator('.avatar'), role, row.getByRole('button')].map(async (part) => {
      const box = await part.boundingBox()
      return box && Math.round(box.y + box.height / 2)
    }),
  )
  assert.equal(new Set(middles).size, 1, String(middles))
  await role.selectOption('admin')
  await page.getByText('Ada Lovelace is now admin').waitFor()
  await ada.reload()
  await ada.getByRole('link', { name: 'Members' }).click()
  // An admin sees owners, but cannot change them.
  await ada.getByRole('button', { name: 'Actions for Ada Lovelace' }).waitFor()
  assert.equal(await ada.getByRole('combobox', { name: /^Role of User/ }).count(), 0)
  await assertAccessible(ada, 'members for an admin')

  await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).click()
  await page.getByRole('menuitem', { name: 'Remove from project' }).click()
  await page.getByText('Ada Lovelace removed').waitFor()
  await eventually(async () => assert.equal(await role.count(), 0))
  await page.getByRole('button', { name: 'Undo' }).click()
  await role.waitFor()
  assert.equal(await role.inputValue(), 'admin')

  await page.getByLabel('Name or email').fill('grace')
  await eventually(async () => assert.equal(await role.count(), 0))
  await page.getByRole('button', { name: 'Revoke the invitation of grace@garden.test' }).click()
  await page.getByRole('heading', { name: 'No one found for “grace”' }).waitFor()
  await assertAccessible(page, 'members, nobody found')
})

test('somebody with an account signs in on the page of the invitation and joins; used, revoked and expired links say what to do', async (t) => {
  const user = await service.addUser()
  const { link, projectId } = await invite(user.email)
  const { page } = await openWindow(t, { on: service, expected: /40[014]/ })
  await page.goto(link)
  assert.equal(await page.getByLabel('Email').inputValue(), user.email)
  await assertAccessible(page, 'invitation, existing person')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`**/p/${projectId}/home`)
  await page.getByRole('button', { name: 'Garden', exact: true }).waitFor()

  await page.goto(link)
  await page.getByRole('heading', { name: 'This invitation was already used' }).waitFor()
  await assertAccessible(page, 'invitation, used')
  const revoked = await invite('revoked@garden.test')
  await revoked.client.call(`${base}/invitations/revoke`, { id: revoked.invitationId })
  await page.goto(revoked.link)
  await page.getByRole('heading', { name: 'This invitation was revoked' }).waitFor()
  const expired = await invite('expired@garden.test')
  await service.db.sql`update invitations set expires_at = now() where project_id = ${expired.projectId}`
  await page.goto(expired.link)
  await page.getByRole('heading', { name: 'This invitation has expired' }).waitFor()
  await page.goto('/invitation#1.nonsense')
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor()
})

test('signed in as somebody else, a person is asked to sign out first; signed in as the right one, they join with one click', async (t) => {
  const user = await service.addUser()
  const other = await service.addUser()
  const { link, projectId } = await invite(user.email)
  const page = await openAs(t, other, link, { on: service, expected: /401/ })
  await page.getByText(`The invitation is for ${user.email}. You're signed in as ${other.email}.`).waitFor()
  await assertAccessible(page, 'invitation, another account')
  await page.getByRole('button', { name: 'Sign out and continue' }).click()
  await page.getByLabel('Password').waitFor()

  const own = await openAs(t, user, link, { on: service })
  await own.getByRole('button', { name: 'Join Garden' }).click()
  await own.waitForURL(`**/p/${projectId}/home`)
  await own.getByRole('button', { name: 'Garden', exact: true }).waitFor()
})

test('ownership is transferred, and who is not the last owner can leave; members see no list of addresses', async (t) => {
  const { projectId, owner } = await scene()
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  await service.db.sql`update users set name = 'Mina Sato' where id = ${member.id}`
  const page = await openAs(t, owner, `/p/${projectId}/settings`, { on: service, expected: /400|403/ })
  await page.getByRole('button', { name: 'Leave project…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
  await page.getByText("You're the last owner. Transfer the ownership first").waitFor()
  await service.db
    .sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${owner.id}`
  await page.goto(`/p/${projectId}/members`)
  await page.getByRole('button', { name: 'Actions for Mina Sato' }).click()
  await page.getByRole('menuitem', { name: 'Transfer ownership…' }).click()
  await assertAccessible(page, 'transfer ownership')
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Mina Sato is now owner').waitFor()
  await page.goto(`/p/${projectId}/settings`)
  await page.getByRole('button', { name: 'Leave project…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
  await page.getByRole('heading', { name: "You're not in a project yet" }).waitFor()

  const viewer = await service.addUser({ roles: { [projectId]: 'viewer' } })
  const theirs = await openAs(t, viewer, `/p/${projectId}/members`, { on: service })
  await theirs.getByText('Only admins and owners can manage members.').waitFor()
  assert.equal(await theirs.getByRole('link', { name: 'Members' }).count(), 0)
})

test('after a while, making, inviting, demoting and removing an owner ask for the password again and then go on', async (t) => {
  const { projectId, owner } = await scene()
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  await service.db.sql`update users set name = 'Mina Sato' where id = ${member.id}`
  const page = await openAs(t, owner, `/p/${projectId}/members`, { on: service, expected: /403/ })
  const waitAWhile = () =>
    service.db.sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${owner.id}`
  await waitAWhile()
  await page.getByRole('combobox', { name: 'Role of Mina Sato' }).selectOption('owner')
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await page.getByRole('combobox', { name: 'Role of Mina Sato' }).inputValue(), 'member')
  await page.getByRole('combobox', { name: 'Role of Mina Sato' }).selectOption('owner')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Mina Sato is now owner').waitFor()
  await waitAWhile()
  await page.getByRole('button', { name: 'Invite people…' }).click()
  await page.getByLabel('Email addresses').fill('second@garden.test')
  await page.getByRole('combobox', { name: 'Role', exact: true }).selectOption('owner')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await assertAccessible(page, 'password asked for while inviting')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Invitation sent to second@garden.test').waitFor()

  const confirm = async () => {
    await page.getByLabel('Your password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  const role = page.getByRole('combobox', { name: 'Role of Mina Sato' })
  await waitAWhile()
  await role.selectOption('admin')
  await confirm()
  await page.getByText('Mina Sato is now admin').waitFor()
  const isOwner = page.waitForResponse(/members\/update-role/)
  await role.selectOption('owner')
  // The notice may still be there from before.
  await isOwner
  await waitAWhile()
  const remove = async () => {
    await page.getByRole('button', { name: 'Actions for Mina Sato' }).click()
    await page.getByRole('menuitem', { name: 'Remove from project' }).click()
  }
  await remove()
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await role.inputValue(), 'owner')
  await remove()
  await confirm()
  await page.getByText('Mina Sato removed').waitFor()
  await eventually(async () => assert.equal(await role.count(), 0))
  await waitAWhile()
  await page.getByRole('button', { name: 'Undo' }).click()
  await confirm()
  await role.waitFor()
  assert.equal(await role.inputValue(), 'owner')
})

test('an invitation is sent again with another link; a superadmin turns AI features on', async (t) => {
  const { projectId, owner, link } = await invite('again@garden.test')
  const page = await openAs(t, owner, `/p/${projectId}/members`, { on: service, expected: /429/ })
  const resend = page.getByRole('button', { name: 'Resend the invitation of again@garden.test' })
  await resend.click()
  await page.getByText(/Too many requests\. Try again in \d+ second/).waitFor()
  await service.db.sql`
    update invitations set sent_at = sent_at - interval '2 minutes' where project_id = ${projectId}`
  await resend.click()
  await page.getByText('Invitation sent to again@garden.test').waitFor()
  await eventually(async () =>
    assert.notEqual(linkIn(await server.newest('again@garden.test'), '/invitation'), link),
  )
  const { page: invited } = await openWindow(t, { on: service, expected: /40[14]/ })
  await invited.goto(link)
  await invited.getByRole('heading', { name: "This link doesn't work" }).waitFor()
  await invited.goto(linkIn(await server.newest('again@garden.test'), '/invitation'))
  await invited.getByText('invited again@garden.test to Garden as member.').waitFor()

  await service.db.sql`update invitations set sent_count = 50 where project_id = ${projectId}`
  await page.getByRole('button', { name: 'Invite people…' }).click()
  await page.getByLabel('Email addresses').fill('one.more@garden.test')
  await page.getByRole('button', { name: 'Send invitations' }).click()
  await page.getByText('Too many invitations were sent in the last 24 hours. Try again later.').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Remove from project' }).waitFor()
  assert.equal(await page.getByRole('menuitem', { name: 'Turn on AI features' }).count(), 0)
  const superadmin = await service.addUser({ superadmin: true })
  const theirs = await openAs(t, superadmin, `/p/${projectId}/members`, { on: service })
  await theirs.getByRole('button', { name: /^Actions for/ }).click()
  await theirs.getByRole('menuitem', { name: 'Turn on AI features' }).click()
  await theirs.getByText(/can use AI features$/).waitFor()
  const [stored] = await service.db.sql`select enable_ai from users where id = ${owner.id}`
  assert.equal(stored?.['enable_ai'], true)
})

test('in an archived project members are removed and invitations revoked, and nobody is invited', async (t) => {
  const { projectId, owner } = await invite('kim@garden.test')
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  await service.db.sql`update users set name = 'Robin' where id = ${member.id}`
  await service.db.sql`update projects set archived_at = now() where id = ${projectId}`
  const page = await openAs(t, owner, `/p/${projectId}/members`, { on: service })
  await page.getByRole('button', { name: 'Actions for Robin' }).click()
  await page.getByRole('menuitem', { name: 'Remove from project' }).click()
  await page.getByText('Robin removed').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
  await page.getByRole('button', { name: 'Revoke the invitation of kim@garden.test' }).click()
  await page.getByText('Invitation of kim@garden.test revoked').waitFor()
  assert.equal(await page.getByRole('combobox', { name: /^Role of/ }).count(), 0)
  await assertAccessible(page, 'the members of an archived project')
  assert.equal(await page.getByRole('button', { name: 'Invite people…' }).count(), 0)
})
