import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { renewRecoveryCodes } from '#identity/second-factor.ts'
import { sha256 } from '#identity/tokens.ts'
import { rememberWrongCode } from '#identity/wrong-codes.ts'
import { assertAccessible, movedIn, openAs, service, watchMoves } from '#tests/browser.ts'
import { grayJpeg } from '#tests/photo.ts'
import { eventually } from '#tests/process.ts'
import { password } from '#tests/service.ts'

/** Whether a field has the focus and its whole text is selected. */
const isSelected = (element: HTMLInputElement | HTMLElement | SVGElement) =>
  element instanceof HTMLInputElement &&
  element === document.activeElement &&
  element.value !== '' &&
  element.selectionStart === 0 &&
  element.selectionEnd === element.value.length

/** The next call gets no answer, and the page says so. */
async function failsOnce(page: Page, path: string, button: string, failure: RegExp) {
  await page.route(`**/${path}`, (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: button }).click()
  await page.getByText(failure).waitFor()
}

async function createUser() {
  const projectId = await service.addProject()
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  return { user, path: `/p/${projectId}/account` }
}

test('the password is changed and other sessions end; a wrong password shows at its field', async (t) => {
  const { user, path } = await createUser()
  const page = await openAs(t, user, path, { expected: /422/ })
  await page.getByLabel('Current password').fill('wrong')
  await page.getByLabel('New password').fill('correct horses like battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.locator('.field-error').waitFor()
  assert.ok(await page.getByLabel('Current password').evaluate(isSelected))
  await assertAccessible(page, 'account with a wrong password')
  await page.getByLabel('Current password').fill(password)
  assert.equal(await page.locator('.field-error').count(), 0)
  await page.getByText(/^At least 12 characters/).waitFor()
  await page.getByLabel('New password').fill('eleven char')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Use at least 12 characters.').waitFor()
  assert.ok(await page.getByLabel('New password').evaluate(isSelected))
  const strength = page.locator('.strength')
  await strength.getByText('Too short').waitFor()
  await page.getByLabel('New password').fill('princess12345')
  await strength.getByText('Very easy to guess').waitFor()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText(/^This password is too easy to guess, because .+ Use a longer phrase/).waitFor()
  await page.getByLabel('New password').fill('elephants 48151')
  await page.locator('.strength[data-strength="3"]').waitFor()
  const part = await strength.evaluate((one) => getComputedStyle(one).getPropertyValue('--part'))
  assert.ok(Number.parseFloat(part) < 50, `a refused password fills ${part} of the bar`)
  await page.getByLabel('New password').fill(`${user.email} 1`)
  await strength.getByText('Very easy to guess').waitFor()
  await page.getByLabel('New password').fill('purple elephants sing')
  await strength.getByText('Hard to guess').waitFor()
  await assertAccessible(page, 'account with the strength of a password')
  await page.getByLabel('New password').fill('correct horses like battery')
  await page.evaluate(() => {
    new MutationObserver(() => {
      if (document.querySelector('.offline')) document.body.dataset['wasOffline'] = ''
    }).observe(document.body, { childList: true, subtree: true })
  })
  const reconnected = page.waitForResponse((response) => response.url().includes('/events/stream'))
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').waitFor()
  await reconnected
  assert.equal(await page.locator('body[data-was-offline]').count(), 0)
  const client = service.client()
  assert.equal((await client.attempt('/v1/authenticate', { email: user.email, password })).status, 401)
  const signedIn = await client.attempt('/v1/authenticate', {
    email: user.email,
    password: 'correct horses like battery',
  })
  assert.equal(signedIn.status, 200)
  await page.reload()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
})

const asksBeforeClosing = (page: Page) =>
  page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })))

test('two-factor authentication is set up with a QR code, shows its recovery codes once, and is turned off', async (t) => {
  const { user, path } = await createUser()
  const page = await openAs(t, user, path, { expected: /422|ERR_FAILED/ })
  // By key, because sections above that are still loading can move it away from a pointer.
  await page.getByRole('button', { name: 'Set up' }).press('Enter')
  await page.getByLabel('Your password').fill(password)
  await failsOnce(page, 'second-factor/begin', 'Continue', /^Nothing was changed/)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: /QR code/ }).waitFor()
  await page.getByText('Nothing was changed').waitFor({ state: 'detached' })
  await assertAccessible(page, 'second factor set-up')
  const secret = (await page.locator('.account-secret').textContent()) ?? ''
  await page.getByLabel('6-digit code').fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('The code is not valid.').waitFor()
  assert.ok(await page.getByLabel('6-digit code').evaluate(isSelected))
  await page.getByLabel('6-digit code').fill(new TOTP({ secret }).generate())
  assert.equal(await page.getByText('The code is not valid.').count(), 0)
  await failsOnce(page, 'second-factor/confirm', 'Turn on', /^Two-factor authentication was not turned on/)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  await page.getByText('Two-factor authentication was not turned on').waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').count(), 10)
  const recovery = await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const file = await readFile(await (await downloading).path(), 'utf8')
  assert.deepEqual(file.trim().split('\n'), [`Cardinal recovery codes for ${user.email}`, '', ...recovery])
  await page.emulateMedia({ media: 'print' })
  assert.ok(await page.getByText(`Cardinal recovery codes for ${user.email}`).isVisible())
  assert.ok(await page.getByRole('list', { name: 'Recovery codes' }).isVisible())
  assert.equal(await page.getByRole('navigation').isVisible(), false)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('link', { name: 'My cards' }).click()
  await page.getByText("You haven't saved your recovery codes.").waitFor()
  assert.ok(await asksBeforeClosing(page))
  await page.getByRole('button', { name: 'Show' }).click()
  await page
    .getByRole('list', { name: 'Recovery codes' })
    .getByText(recovery[0] as string)
    .waitFor()
  await page.getByRole('button', { name: "I've saved these codes" }).press('Enter')
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  assert.equal(await asksBeforeClosing(page), false)
  await eventually(async () =>
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Two-factor authentication'),
  )
  await page.getByRole('button', { name: 'Turn off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByLabel('6-digit code').fill('000000')
  assert.match((await dialog.getByRole('button', { name: 'Turn off' }).getAttribute('class')) ?? '', /danger/)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByText('The code is not valid.').waitFor()
  assert.ok(await dialog.getByLabel('6-digit code').evaluate(isSelected))
  await assertAccessible(page, 'second factor, about to be turned off')
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  await dialog.getByLabel('Recovery code').fill(recovery[0] as string)
  assert.ok(await dialog.getByRole('checkbox', { name: 'End all other sessions' }).isChecked())
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
})

test('one or all other sessions are ended, the appearance is kept, and signing out ends this session', async (t) => {
  const { user, path } = await createUser()
  const page = await openAs(t, user, path, { expected: /40[13]|422/ })
  await page.getByRole('button', { name: /^End the session/ }).click()
  await page.getByText('Session ended').waitFor()
  assert.equal((await service.client(user.token).attempt('/services/identity/v1/users/me')).status, 401)
  for (const token of ['one', 'other'])
    await service.db.sql`
      insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
      values (${sha256(user.email + token)}, ${user.id}, 'bearer', false, '127.0.0.1', 'curl', now() + interval '1 day')`
  await page.getByRole('radio', { name: 'Dark' }).check()
  await page.reload()
  await page.getByRole('radio', { name: 'Dark', checked: true }).waitFor()
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'dark')
  await page.getByRole('radio', { name: 'System' }).check()
  await service.db.sql`
    update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await page.getByRole('button', { name: 'End sessions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' })
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('The password is incorrect.').waitFor()
  assert.ok(await dialog.getByLabel('Your password').evaluate(isSelected))
  await assertAccessible(page, 'password asked for again')
  await dialog.getByLabel('Your password').fill(password)
  assert.equal(await dialog.getByText('The password is incorrect.').count(), 0)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('2 sessions ended').waitFor()
  await page.getByRole('button', { name: 'End all other sessions' }).waitFor({ state: 'detached' })
  await assertAccessible(page, 'account')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Cardinal' }).waitFor()
  await page.goto(path)
  await page.waitForURL(/sign-in/)
})

test('new recovery codes replace the old ones', async (t) => {
  const projectId = await service.addProject()
  const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
  const user = await service.addUser({ roles: { [projectId]: 'member' }, totpSecret: secret })
  const [old] = await service.db.transaction((queries) => renewRecoveryCodes(queries, user.id))
  const page = await openAs(t, user, `/p/${projectId}/account`)
  await page.getByRole('button', { name: 'New recovery codes' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByLabel('6-digit code').fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Create new codes' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.nth(9).waitFor()
  const signIn = (code: string) =>
    service.client().attempt('/v1/authenticate', { email: user.email, password, code, is_recovery: true })
  assert.equal((await signIn(old as string)).status, 401)
  assert.equal((await signIn((await codes.first().textContent()) ?? '')).status, 200)
})

test('a warning about wrong codes shows on every page until it is dismissed', async (t) => {
  const projectId = await service.addProject()
  const user = await service.addUser({
    roles: { [projectId]: 'member' },
    totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  await rememberWrongCode(service.db, user.id, '198.51.100.7')
  await rememberWrongCode(service.db, user.id, '198.51.100.7')
  const page = await openAs(t, user, `/p/${projectId}/boards`)
  await page.getByText('Someone may know your password').waitFor()
  await page
    .getByText(/^2 wrong codes were entered after your password, the last just now from 198\.51\.100\.7\./)
    .waitFor()
  await assertAccessible(page, 'warning of wrong codes')
  await page.setViewportSize({ width: 360, height: 500 })
  const field = page.getByLabel('Current password')
  // From any page, and from the end of the account itself.
  for (let times = 0; times < 2; times++) {
    await page.getByRole('link', { name: 'Change password' }).click()
    await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    await eventually(async () => assert.ok(await field.evaluate((one) => one === document.activeElement)))
    const box = await field.boundingBox()
    assert.ok(box && box.y > 0 && box.y + box.height < 500, JSON.stringify(box))
    await page.getByRole('heading', { name: "Where you're signed in" }).scrollIntoViewIfNeeded()
  }
  await page.getByRole('button', { name: 'It was me' }).click()
  await page.getByText('Someone may know your password').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  assert.equal(await page.getByText('Someone may know your password').count(), 0)
})

test('name and photo: the picture of a camera becomes a small one without its metadata, and others see it', async (t) => {
  const projectId = await service.addProject('Acme')
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const admin = await service.addUser({ roles: { [projectId]: 'admin' } })
  const page = await openAs(t, user, `/p/${projectId}/account`)
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Change name' }).click()
  await page.getByText('Name changed').waitFor()
  const input = page.locator('input[type=file]')
  await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') })
  await page.getByText("This file isn't a picture that your browser can read").waitFor()
  await input.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(5_000_001) })
  await page.getByText('Choose a picture of at most 5 MB').waitFor()
  const buffer = grayJpeg({ width: 640, height: 400, metadata: [{ kind: 0xe1, content: 'GPS 52.52' }] })
  await input.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await page.getByText('Photo changed').waitFor()
  // What was wrong with the file before is over.
  assert.equal(await page.getByText('Choose a picture of at most 5 MB').count(), 0)
  const shown = page.locator('.account-photo img')
  await shown.waitFor()
  assert.deepEqual(
    await shown.evaluate((image: HTMLImageElement) =>
      image.decode().then(() => [image.naturalWidth, image.naturalHeight]),
    ),
    [256, 256],
  )
  const [stored] = await service.db.sql<
    { photo: Buffer }[]
  >`select photo from user_photos where user_id = ${user.id}`
  assert.ok(stored && !stored.photo.includes('GPS'))
  await assertAccessible(page, 'profile with a photo')
  const other = await openAs(t, admin, `/p/${projectId}/members`)
  await other.getByText('Ada Lovelace').first().waitFor()
  await other.locator('.avatar img').first().waitFor()
  await page.getByRole('button', { name: 'Remove photo' }).click()
  await page.getByRole('button', { name: 'Add photo…' }).waitFor()
  assert.equal(await page.locator('.account-photo img').count(), 0)
})

test('my data is a file, and closing the account asks for the address and signs out', async (t) => {
  const projectId = await service.addProject('Acme')
  const user = await service.addUser({ roles: { [projectId]: 'member' } })
  const page = await openAs(t, user, `/p/${projectId}/account`, { expected: /40[13]/ })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'my-data.json')
  const stream = await download.createReadStream()
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  const data = JSON.parse(Buffer.concat(chunks).toString()) as { account: { email: string } }
  assert.equal(data.account.email, user.email)
  await page.getByRole('button', { name: 'Close account…' }).click()
  await page.getByLabel(`Type “${user.email}” to confirm`).fill(user.email)
  await assertAccessible(page, 'close account')
  await page.getByRole('dialog').getByRole('button', { name: 'Close account' }).click()
  await page.getByText('This account was closed.').waitFor()
  const [row] = await service.db.sql`select name from users where id = ${user.id}`
  assert.equal(row?.['name'], 'Former member')
})

test('somebody in no project still has their account: profile, password, two-factor, sessions, data, and its end', async (t) => {
  const user = await service.addUser({})
  const page = await openAs(t, user, '/', { expected: /40[13]/ })
  await page.getByRole('heading', { name: "You're not in a project yet" }).waitFor()
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Change name' }).click()
  await page.locator('.account-who').getByText('Ada Lovelace').waitFor()
  const buffer = grayJpeg({ width: 300, height: 300 })
  await page.locator('input[type=file]').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer })
  await page.locator('.account-photo img').waitFor()
  await page.getByLabel('New email').waitFor()
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
  await page.getByLabel('Current password').fill(password)
  await page.getByLabel('New password').fill('correct horses like battery')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').waitFor()
  // The session of the API client, which the new password has ended.
  await page.getByRole('button', { name: /^End the session/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Your password').fill('correct horses like battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.locator('.account-secret').textContent()) ?? ''
  await page.getByLabel('6-digit code').fill(new TOTP({ secret }).generate())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: "I've saved these codes" }).click()
  await page.getByRole('button', { name: 'Turn off' }).waitFor()
  await page.getByRole('radio', { name: 'Deutsch' }).click()
  await page.getByRole('heading', { name: 'Profil', exact: true }).waitFor()
  await page.getByRole('radio', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'my-data.json')
  await assertAccessible(page, 'no project, with the account')
  await service.db.sql`update sessions set password_at = now() - interval '1 hour' where user_id = ${user.id}`
  await page.getByRole('button', { name: 'Close account…' }).click()
  await page.getByLabel(`Type “${user.email}” to confirm`).fill(user.email)
  await page.getByRole('dialog').getByRole('button', { name: 'Close account' }).click()
  await page.getByLabel('Your password', { exact: true }).fill('correct horses like battery')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('This account was closed.').waitFor()
})

test('sections that are loaded late do not move the others', async (t) => {
  const { user, path } = await createUser()
  const page = await openAs(t, user, 'about:blank', { viewport: { width: 1280, height: 3000 } })
  await watchMoves(page)
  const late = ['notifications/get', 'tour/cards/list', 'setup/status', 'passkeys/list', 'sessions/list']
  const answers = late.map((operation) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    void page.route(new RegExp(`${operation}$`), async (route) => {
      await promise
      await route.continue()
    })
    return resolve
  })
  await page.goto(path)
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  for (const answer of answers) {
    await movedIn(page)
    answer()
  }
  await page.getByText('This session').waitFor()
  assert.deepEqual(await movedIn(page), [])
  await page.getByText('has no tour').waitFor()
})
