import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { createScene, openAs } from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

/** All of a card is seen: nothing is cut off or covered. */
const isInSight = (page: Page, title: string) =>
  eventually(async () => {
    const link = page.getByRole('link', { name: title, exact: true })
    const isSeen = await link.evaluate((element) => {
      const { left, right, top, bottom } = (element.closest('.card') as Element).getBoundingClientRect()
      const isTop = (x: number, y: number) =>
        document.elementFromPoint(x, y)?.closest('.card')?.contains(element) === true
      return isTop(left + 20, top + 4) && isTop(right - 4, bottom - 4)
    })
    assert.ok(isSeen, `${title} is in sight`)
  })

test('a card added to a long list comes into sight, and the field keeps the focus', async (t) => {
  const scene = await createScene({ cards: 30 })
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('button', { name: 'Add card to To do' }).click()
  const field = page.getByRole('textbox', { name: 'Title of the new card in To do' })
  for (const title of ['One more', 'And another']) {
    await field.fill(title)
    await field.press('Enter')
    await isInSight(page, title)
  }
  assert.equal(await field.evaluate((element) => element === document.activeElement), true)
})

test('a card that is opened by its address is in sight, beside its panel', async (t) => {
  const scene = await createScene({ cards: 30 })
  const { member, groupIds } = scene
  const last = scene.cardIds.at(-1) as number
  const { card } = await member.call('/services/operations/v1/operations/cards/create', {
    title: 'On the right',
    group_id: groupIds[2] as number,
  })
  const page = await openAs(t, scene.members.member, `${scene.path}/cards/${last}`)
  await page.getByRole('complementary', { name: 'Card: Card 30' }).waitFor()
  await isInSight(page, 'Card 30')
  for (const width of [1280, 1000]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(scene.path)
    await page.getByRole('link', { name: 'On the right' }).click()
    await page.getByRole('complementary', { name: 'Card: On the right' }).waitFor()
    await isInSight(page, 'On the right')
    await page.goto(`${scene.path}/cards/${card.id}`)
    await page.getByRole('complementary', { name: 'Card: On the right' }).waitFor()
    await isInSight(page, 'On the right')
  }
})
