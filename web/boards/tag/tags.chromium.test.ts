import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

const base = '/services/operations/v1/operations'

test('tags are renamed, recolored and deleted, from the filters and from the tag of a card', async (t) => {
  const { admin, member, members, cardIds, path } = await createScene()
  const { tag } = await member.call(`${base}/tags/create`, { name: 'Legal', color: 'amber' })
  await member.call(`${base}/tags/create`, { name: 'Garden' })
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, tag_id: tag.id })
  const stored = async () =>
    (await member.call(`${base}/tags/list`)).tags.map(({ name, color }) => `${name} ${color}`)
  const page = await openAs(t, members.member, path)
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Manage tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Project tags' })
  await dialog.getByRole('listitem').filter({ hasText: 'Legal' }).getByText('1 card on 1 board').waitFor()
  await dialog.getByRole('button', { name: 'Legal', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Rename the tag Legal' }).fill('Law')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Color of the tag Law: amber' }).click()
  await dialog.getByRole('option', { name: 'Violet' }).click()
  await dialog.getByRole('button', { name: 'Color of the tag Law: violet' }).waitFor()
  await assertAccessible(page, 'tags')
  await eventually(async () => assert.deepEqual(await stored(), ['Law violet', 'Garden null']))
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Card 1' }).getByText('Law').waitFor()
  const other = await admin.call(`${base}/boards/create`, { title: 'Other' })
  const { group } = await admin.call(`${base}/groups/create`, { board_id: other.board.id, title: 'There' })
  const { card: elsewhere } = await member.call(`${base}/cards/create`, {
    title: 'Elsewhere',
    group_id: group.id,
    tag_id: tag.id,
  })

  await page.getByRole('link', { name: 'Card 1' }).click()
  await page.getByRole('button', { name: 'Tag: Law' }).click()
  await page.getByRole('button', { name: 'Manage tags' }).click()
  await dialog.getByRole('listitem').filter({ hasText: 'Law' }).getByText('2 cards on 2 boards').waitFor()
  const removeLaw = async () => {
    await dialog.getByRole('button', { name: 'Delete the tag Law' }).click()
    const question = page.getByRole('dialog', { name: 'Delete the tag “Law”?' })
    await question.getByText('It is removed from 2 cards on 2 boards.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await question.getByRole('button', { name: 'Delete tag' }).click()
  }
  await removeLaw()
  await page.getByText('Deleted “Law” from 2 cards on 2 boards').waitFor()
  await eventually(async () => assert.deepEqual(await stored(), ['Garden null']))
  await dialog
    .getByRole('listitem')
    .filter({ hasText: 'Garden' })
    .and(page.locator(':focus-within'))
    .waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await eventually(async () => assert.deepEqual(await stored(), ['Law violet', 'Garden null']))
  await dialog.getByRole('button', { name: 'Delete the tag Law' }).waitFor()
  assert.equal((await member.call(`${base}/cards/get`, { id: elsewhere.id })).card.tag_id, tag.id)
  await removeLaw()
  await eventually(async () => assert.deepEqual(await stored(), ['Garden null']))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Tag: No tag' }).waitFor()

  await page.goto(`${path}?tag=${tag.id}`)
  await page.getByRole('button', { name: 'Remove the filter Tag: deleted' }).click()
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await page.getByRole('button', { name: 'Activity' }).click()
  await page.getByText('deleted the tag Law').first().waitFor()

  await page.goto(path.replace(/boards\/.*/, 'trash'))
  const row = page.getByRole('listitem').filter({ hasText: 'Law' })
  await row.getByText('Tag, 2 cards').waitFor()
  await row.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('heading', { name: 'The trash is empty' }).waitFor()
  await eventually(async () => assert.deepEqual(await stored(), ['Law violet', 'Garden null']))
})

test('a tag gets an icon and is deactivated: it stays on its card and leaves the picker', async (t) => {
  const { member, members, cardIds, path } = await createScene()
  const { tag } = await member.call(`${base}/tags/create`, {
    name: 'Fair',
    color: 'red',
    icon: 'no-such-icon',
  })
  await member.call(`${base}/tags/create`, { name: 'Garden' })
  await member.call(`${base}/cards/update`, { id: cardIds[0] as number, tag_id: tag.id })
  const page = await openAs(t, members.member, path)
  const face = page.getByRole('listitem').filter({ hasText: 'Card 1' })
  await face.locator('.sign[data-icon="no-such-icon"][data-hue="red"] > svg').waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'Manage tags' }).click()
  const dialog = page.getByRole('dialog', { name: 'Project tags' })
  await dialog.getByRole('button', { name: 'Icon of the tag Fair: no such icon' }).click()
  await dialog.getByRole('combobox', { name: 'Icon of the tag Fair' }).fill('rock')
  await dialog.getByRole('option', { name: 'Rocket' }).click()
  await dialog.getByRole('button', { name: 'Icon of the tag Fair: rocket' }).waitFor()
  await dialog.getByRole('button', { name: 'Deactivate the tag Fair' }).click()
  await dialog.getByText('Inactive, 1 card on 1 board').waitFor()
  assert.equal(await dialog.getByText(/^Created by User \d+$/).count(), 2)
  await assertAccessible(page, 'inactive tag')
  await page.setViewportSize({ width: 390, height: 844 })
  const about = dialog.locator('.tags-meta').filter({ hasText: 'Inactive' })
  assert.equal((await about.boundingBox())?.height, 16, 'on a phone, what is said about a tag has one line')
  await page.setViewportSize({ width: 1280, height: 800 })
  await eventually(async () => {
    const [fair] = (await member.call(`${base}/tags/list`)).tags
    assert.deepEqual([fair?.icon, fair?.is_active], ['rocket', false])
  })
  await dialog.getByRole('button', { name: 'Close' }).click()
  await face.locator('.sign[data-icon="rocket"] > svg').waitFor()

  await page.getByRole('link', { name: 'Card 1' }).click()
  await page.getByRole('button', { name: 'Tag: Fair' }).click()
  assert.deepEqual(await page.getByRole('option').allTextContents(), ['No tag', 'Fair', 'Garden'])
  await page.getByRole('option', { name: 'Garden' }).click()
  await page.getByRole('button', { name: 'Tag: Garden' }).click()
  assert.deepEqual(await page.getByRole('option').allTextContents(), ['No tag', 'Garden'])
})
