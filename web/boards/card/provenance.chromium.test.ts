import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'

test('a card shows its template and what is customized; each field is reset, with undo', async (t) => {
  const { superadmin, boardId, cardIds, projectIds, user, here, path } = await createTemplateScene()
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const projectId = projectIds[0] as number
  const [copy] = await service.db.sql<{ id: number; board_id: number }[]>`
    select id, board_id from cards where project_id = ${projectId} and master_card_id = ${cardIds[0] as number}`
  const id = copy?.id as number
  const stored = async () => (await superadmin.call(`${area}/cards/get`, { id })).card
  await superadmin.call(`${area}/cards/update`, { id, title: 'Our own words', priority: 'high' })
  await superadmin.call(`${area}/cards/move`, { id, position: 3 })
  await superadmin.call(`${admin}/master-cards/update`, { id: cardIds[0] as number, title: 'Newer' })
  await superadmin.call(`${admin}/master-boards/publish`, { id: boardId })

  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const page = await openAs(t, member, `${here}/boards/${copy?.board_id}/cards/${id}`)
  const template = page.getByRole('region', { name: 'Template' })
  await template.getByText(/From the template Launch · Version \d+ of \d+/).waitFor()
  assert.equal(await template.getByRole('link').count(), 0)
  const changed = template.getByRole('list', { name: 'Customized fields' }).getByRole('listitem')
  assert.deepEqual(await changed.allTextContents(), ['Title', 'Priority', 'Position'])
  await assertAccessible(page, 'card from a template')
  const reset = (field: string) =>
    template.getByRole('button', { name: `Reset ${field} to the template` }).click()
  await reset('title')
  await eventually(async () => assert.equal((await stored()).title, 'Card 1'))
  await page.getByRole('button', { name: 'Undo' }).click()
  await eventually(async () => assert.equal((await stored()).title, 'Our own words'))
  await eventually(async () => assert.equal(await changed.count(), 3))
  await reset('position')
  await eventually(async () => assert.equal((await stored()).position, 1))
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await eventually(async () => assert.equal((await stored()).position, 3))
  await eventually(async () => assert.equal(await changed.count(), 3))
  await reset('priority')
  await eventually(async () => assert.deepEqual(await changed.allTextContents(), ['Title', 'Position']))

  await template.getByRole('button', { name: 'Stop template updates' }).click()
  await template.getByText('Template updates are stopped.').waitFor()
  await assertAccessible(page, 'a card without updates')
  await template.getByRole('button', { name: 'Resume template updates' }).click()
  await template.getByRole('button', { name: 'Stop template updates' }).waitFor()

  await page.goto(`${here}/boards/${copy?.board_id}/activity`)
  const activity = page.getByRole('complementary', { name: 'Activity' })
  await activity.getByText('reset “Our own words” to its template').first().waitFor()
  await activity.getByText('stopped template updates of “Our own words”').waitFor()
  await activity.getByText('brought the board up to version 1').waitFor()
  const added = activity.getByRole('listitem').filter({ hasText: /^Cards added: / })
  await added.getByRole('link', { name: 'Card 2' }).waitFor()
  await assertAccessible(page, 'activity with a rollout')

  const viewer = await service.addUser({ roles: { [projectId]: 'viewer' } })
  const other = await openAs(t, viewer, `${here}/boards/${copy?.board_id}/cards/${id}`)
  await other.getByRole('list', { name: 'Customized fields' }).getByText('Title').waitFor()
  assert.equal(await other.getByRole('button', { name: /^Reset/ }).count(), 0)
  const third = await openAs(t, user, `${here}/boards/${copy?.board_id}/cards/${id}`)
  await third.getByRole('region', { name: 'Template' }).getByRole('link', { name: 'Launch' }).click()
  await third.getByRole('complementary', { name: 'Card: Newer' }).waitFor()
  assert.equal(new URL(third.url()).pathname, `${path}/cards/${cardIds[0]}`)
})
