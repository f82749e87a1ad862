import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, openAs, service } from '#tests/browser.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

const admin = '/services/operations/v1/admin'
const area = '/services/operations/v1/operations'
const check = 'website.has_imprint'

/** A template whose first card has a check, rolled out to three projects. */
async function createScene() {
  const scene = await createTemplateScene()
  const { superadmin, cardIds, boardId, projectIds } = scene
  await superadmin.call(`${admin}/master-cards/update`, { id: cardIds[0] as number, evaluation_check: check })
  await superadmin.call(`${admin}/master-boards/sync`, { board_id: boardId })
  const projectId = projectIds[0] as number
  const [copy] = await service.db.sql<{ id: number; board_id: number }[]>`
    select id, board_id from cards where project_id = ${projectId} and master_card_id = ${cardIds[0] as number}`
  const report = (passed: boolean, detail: string, project_id = projectId) =>
    superadmin.call(`${area}/evaluations/report`, { check, project_id, passed, detail })
  return { ...scene, projectId, copy: copy as { id: number; board_id: number }, report }
}

test('a card shows the result of its check as it comes in, by whom and what was found; so does its history', async (t) => {
  const { here, projectId, copy, report } = await createScene()
  const member = await service.addUser({ roles: { [projectId]: 'member' } })
  const page = await openAs(t, member, `${here}/boards/${copy.board_id}/cards/${copy.id}`)
  const region = page.getByRole('region', { name: 'Check' })
  await region.getByText('Not checked yet').waitFor()
  await report(true, 'Found at /imprint')
  await region.getByText('Check passed').waitFor()
  await region.getByText('Found at /imprint').waitFor()
  assert.match(await region.innerText(), /website\.has_imprint · Reported by .+ (now|ago)/)
  await page.getByRole('button', { name: 'Status: Done' }).waitFor()
  await assertAccessible(page, 'card with a passed check')
  await report(false, 'Gone')
  await region.getByText('Check failed').waitFor()
  await page.getByRole('button', { name: 'Status: Open' }).waitFor()
  await page.getByText('History').click()
  await page
    .getByText('reported that the check of this card failed (Gone), and set the status to Open')
    .waitFor()
  await assertAccessible(page, 'card with a failed check')
})

test('a template card says in how many projects its check passes, and whether a person confirms', async (t) => {
  const { user, path, cardIds, projectIds, superadmin, report } = await createScene()
  await report(true, 'Found')
  await report(false, 'Not found', projectIds[1])
  const page = await openAs(t, user, `${path}/cards/${cardIds[0]}`)
  const panel = page.getByRole('complementary', { name: 'Card: Card 1' })
  await panel.getByText('1 passed, 1 failed').waitFor()
  await page.getByRole('listitem').getByText('1 passed, 1 failed').waitFor()
  await assertAccessible(page, 'template card with a check')
  await panel.getByRole('button', { name: 'When it passes: The card is done' }).click()
  await page.getByRole('option', { name: 'A person confirms' }).click()
  await panel.getByRole('button', { name: 'When it passes: A person confirms' }).waitFor()
  // The button says it before it is saved, the history only then.
  await panel.getByText('History').click()
  await panel.getByText('made a person confirm passed checks').waitFor()
  const { card } = await superadmin.call(`${admin}/master-cards/get`, { id: cardIds[0] as number })
  assert.equal(card.needs_confirmation, true)
})
