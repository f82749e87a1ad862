import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

test('a card deleted before its board says so, is restored with it, and undo deletes both', async (t) => {
  const { admin, members, boardId, groupIds, cardIds, projectId } = await createScene()
  await admin.call(`${base}/cards/delete`, { id: cardIds[0] as number })
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const listed = async () =>
    (await admin.call(`${base}/trash/list`)).things.map(({ kind, title }) => `${kind} ${title}`)
  const all = ['board Board', 'group To do', 'card Card 1']
  const page = await openAs(t, members.admin, `/p/${projectId}/trash`)
  const row = page.getByRole('listitem').filter({ hasText: 'Card 1' })
  await row.getByText('Its group and its board were deleted too.').waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'To do' })
    .getByText('Its board was deleted too.')
    .waitFor()
  assert.equal(await row.getByRole('button').count(), 1)
  await assertAccessible(page, 'trash with deleted parents')
  await row.getByRole('button', { name: 'Restore with its board' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await page.getByText('Restored “Card 1” with its board').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => assert.deepEqual(await listed(), all))
  await page
    .getByRole('listitem')
    .filter({ hasText: 'To do' })
    .getByRole('button', { name: 'Restore with its board' })
    .click()
  await eventually(async () => assert.deepEqual(await listed(), ['card Card 1']))
})

test('a member sees why they cannot restore the board of their card', async (t) => {
  const { admin, member, members, boardId, cardIds, projectId } = await createScene()
  await member.call(`${base}/cards/delete`, { id: cardIds[0] as number })
  await admin.call(`${base}/boards/delete`, { id: boardId })
  const page = await openAs(t, members.member, `/p/${projectId}/trash`)
  const button = page.getByRole('button', { name: 'Restore with its board (Card 1)' })
  await button.waitFor()
  assert.deepEqual(
    [await button.getAttribute('aria-disabled'), await button.getAttribute('aria-description')],
    ['true', 'Only admins and owners can restore a group or board.'],
  )
})

test('a card of a deleted group is restored with the group, or alone to the first group', async (t) => {
  const { admin, member, members, groupIds, cardIds, projectId } = await createScene()
  const [first, second] = cardIds as [number, number]
  for (const id of [first, second]) await member.call(`${base}/cards/delete`, { id })
  await admin.call(`${base}/groups/delete`, { id: groupIds[0] as number })
  const page = await openAs(t, members.admin, `/p/${projectId}/trash`)
  await page.getByText('Its group was deleted too. Restored alone, it returns to Doing.').first().waitFor()
  await page.getByRole('button', { name: 'Restore alone (Card 1)' }).click()
  await page.getByText('Restored “Card 1”', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Restore with its group (Card 2)' }).click()
  await page.getByText('Restored “Card 2” with its group').waitFor()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await eventually(async () => {
    const places = await Promise.all(
      [first, second].map(async (id) => (await admin.call(`${base}/cards/get`, { id })).card.group_id),
    )
    assert.deepEqual(places, [groupIds[1], groupIds[0]])
  })
})

test('what somebody else has just restored is back, which is no failure', async (t) => {
  const { admin, members, boardId, groupIds, cardIds, projectId } = await createScene()
  const { tag } = await admin.call(`${base}/tags/create`, { name: 'Tag' })
  const deleted = [
    ['cards', 'Card 1', cardIds[0]],
    ['groups', 'Doing', groupIds[1]],
    ['tags', 'Tag', tag.id],
    ['boards', 'Board', boardId],
  ] as const
  for (const [kind, , id] of deleted) await admin.call(`${base}/${kind}/delete`, { id: id as number })
  const page = await openAs(t, members.admin, `/p/${projectId}/trash`, { expected: /400/ })
  for (const [kind, title, id] of deleted.toReversed()) {
    // Their call is on its way when the colleague's arrives.
    await page.route(`**/${kind}/restore`, async (route) => {
      await admin.call(`${base}/${kind}/restore`, { id: id as number })
      await route.continue()
    })
    const button = page.getByRole('button', { name: `Restore ${title}` })
    await button.click()
    await page.getByText('Already restored').waitFor()
    await button.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Dismiss' }).click()
  }
  assert.equal(await page.getByText('was not restored').count(), 0)
})
