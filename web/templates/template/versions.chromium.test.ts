import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openAs } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'

test('a draft is published with a note, compared side by side, and an earlier version restored', async (t) => {
  const { user, superadmin, path, boardId, cardIds, stored } = await createTemplateScene()
  const [first] = cardIds as [number]
  await superadmin.call(`${admin}/master-cards/update`, {
    id: first,
    description: '<p>Send the <b>old</b> form.</p>',
  })
  const page = await openAs(t, user, path)
  await page.getByText('Draft, never published').waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('textbox', { name: 'Note (optional)' }).fill('First steps')
  await assertAccessible(page, 'publish a template')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Published version 1').waitFor()
  await page.getByRole('link', { name: 'Version 1' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Publish…' }).count(), 0)

  await superadmin.call(`${admin}/master-cards/update`, {
    id: first,
    title: 'Card one',
    description: '<p>Send the <b>new</b> form.</p>',
  })
  await superadmin.call(`${admin}/master-cards/delete`, { id: cardIds[1] as number })
  await page.getByRole('link', { name: 'Draft changes' }).click()
  const changes = page.getByRole('list', { name: 'Differences' })
  await changes.getByText('Card one').first().waitFor()
  assert.equal(await changes.locator('del[data-hue]').first().innerText(), 'old')
  assert.equal(await changes.locator('ins[data-hue]').first().innerText(), 'new')
  await changes.getByText('Removed from Before').waitFor()
  await assertAccessible(page, 'difference of versions')
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByText('2 items differ from version 1.').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('Published version 2').waitFor()

  await page.getByRole('button', { name: 'History' }).click()
  const versions = page.getByRole('list', { name: 'Versions' })
  await versions.getByText('First steps').waitFor()
  await assertAccessible(page, 'versions of a template')
  await versions.getByRole('link', { name: 'Version 1' }).click()
  await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Restore this version…' }).click()
  await page.getByRole('button', { name: 'Restore as draft' }).click()
  await page.getByText('Version 1 is the draft now').waitFor()
  await eventually(async () => assert.deepEqual((await stored())['Before'], ['Card 1', 'Card 2', 'Card 3']))
  const { board } = await superadmin.call(`${admin}/master-boards/get`, { id: boardId })
  assert.deepEqual([board.version, board.has_draft_changes], [2, true])
})

test('the log says who did what, and deleted things come back from the trash of a template and of all', async (t) => {
  const { user, superadmin, here, path, boardId, groupIds, cardIds, stored } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await superadmin.call(`${admin}/master-cards/update`, {
    id: cardIds[0] as number,
    ...{ description: 'More', priority: 'high' },
  })
  await superadmin.call(`${admin}/master-groups/delete`, { id: groupIds[0] as number })
  const page = await openAs(t, user, `${path}/log`)
  const log = page.getByRole('list', { name: 'Log' })
  await log.getByText('deleted “Before” and 3 others').waitFor()
  await log.getByText(/changed “Card 1”: description, priority/).waitFor()
  await log.getByRole('link', { name: 'version 1', exact: true }).waitFor()
  await log.getByText('Show all 4').click()
  const all = log.getByRole('list', { name: 'All changes' }).getByRole('listitem')
  assert.deepEqual(await all.allTextContents(), [
    'deleted “Before”',
    'deleted “Card 1”',
    'deleted “Card 2”',
    'deleted “Card 3”',
  ])
  await assertAccessible(page, 'log of a template')
  await log.getByRole('link', { name: 'rolled out version 1' }).click()
  await page.getByText('Rolled out “Launch” to 3 projects').waitFor()
  await page.goBack()
  await page.getByRole('radio', { name: 'Deleted' }).click()
  const deleted = page.getByText(/^Group of Launch, 3 cards · deleted by User \d+ just now$/)
  await deleted.waitFor()
  // All of it can be read beside the template too.
  assert.ok(await deleted.evaluate((words) => words.scrollWidth <= words.clientWidth))
  await page.getByRole('button', { name: 'Restore Before' }).click()
  await page.getByText('Restored “Before”').waitFor()
  await eventually(async () => assert.deepEqual((await stored())['Before'], ['Card 1', 'Card 2', 'Card 3']))

  // Away from the pages of the template first, which may be reading it.
  await page.goto(`${here}/template-trash`)
  await superadmin.call(`${admin}/master-boards/delete`, { id: boardId })
  await page.reload()
  const things = page.getByRole('list', { name: 'Deleted' })
  await things.getByRole('listitem').filter({ hasText: 'Template, 3 cards' }).first().waitFor()
  await assertAccessible(page, 'deleted templates')
  await things.getByRole('button', { name: 'Restore Launch' }).first().click()
  await eventually(async () => assert.ok(Object.keys(await stored()).includes('Before')))
})

test('a rollout leads to the version that it brought, with the name of that time', async (t) => {
  const { user, superadmin, here, boardId } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  await superadmin.call(`${admin}/master-boards/update`, { id: boardId, title: 'Renamed' })
  const { rollouts } = await superadmin.call(`${admin}/rollouts/list`, { board_id: boardId })
  const page = await openAs(t, user, `${here}/rollouts/${rollouts[0]?.id}`)
  await page.getByRole('heading', { name: 'Launch' }).waitFor()
  await page.getByRole('link', { name: 'version 1' }).click()
  await page.getByRole('heading', { name: 'Version 1', exact: true }).waitFor()
  await page.getByText('All of it: 3 cards').waitFor()
})
