import assert from 'node:assert/strict'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { announced, createScene, openAs } from '#tests/browser.ts'
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

const hasFocus = (page: Page, text: string) =>
  eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.textContent), text))

test('a card added to a long list scrolls into view, and the field keeps the focus', async (t) => {
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

test('Home and End move to the first and the last card of a list', async (t) => {
  const scene = await createScene({ cards: 30 })
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 2', exact: true }).focus()
  await page.keyboard.press('End')
  await hasFocus(page, 'Card 30')
  await page.keyboard.press('Home')
  await hasFocus(page, 'Card 1')
})

test('the target of a lifted card stays in view, and so does the card after a cancel', async (t) => {
  const scene = await createScene({ cards: 30 })
  const page = await openAs(t, scene.members.member, scene.path)
  await page.getByRole('link', { name: 'Card 1', exact: true }).focus()
  await page.keyboard.press(' ')
  for (let step = 0; step < 20; step++) await page.keyboard.press('ArrowDown')
  await announced(page).filter({ hasText: 'Position 21 of 30 in To do' }).waitFor()
  const list = page.getByRole('region', { name: 'To do' }).locator('.column-list')
  const isLandingSeen = () =>
    eventually(async () => {
      const [line, frame] = [await page.locator('.landing').boundingBox(), await list.boundingBox()]
      assert.ok(line && frame && line.y >= frame.y && line.y + line.height <= frame.y + frame.height)
    })
  await isLandingSeen()
  for (let step = 0; step < 15; step++) await page.keyboard.press('ArrowUp')
  await announced(page).filter({ hasText: 'Position 6 of 30 in To do' }).waitFor()
  await isLandingSeen()
  for (let step = 0; step < 30; step++) await page.keyboard.press('ArrowDown')
  await announced(page).filter({ hasText: 'Position 30 of 30 in To do' }).waitFor()
  await isLandingSeen()
  await page.keyboard.press('Escape')
  await isInSight(page, 'Card 1')
  await hasFocus(page, 'Card 1')
})

test('a card opened by its address is in view beside its panel', async (t) => {
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

test('closing a card brings the board back to where it was, unless the person has scrolled', async (t) => {
  const scene = await createScene({ cards: 3 })
  const { admin, member, boardId } = scene
  const base = '/services/operations/v1/operations'
  for (const title of ['Fourth', 'Fifth', 'Sixth']) {
    const { group } = await admin.call(`${base}/groups/create`, { board_id: boardId, title })
    await member.call(`${base}/cards/create`, { title: `Card of ${title}`, group_id: group.id })
  }
  const page = await openAs(t, scene.members.member, scene.path)
  const board = page.locator('.board')
  const left = () => board.evaluate((element) => element.scrollLeft)
  await page.getByRole('link', { name: 'Card 1' }).waitFor()
  await board.evaluate((element) => element.scrollTo({ left: 500 }))
  const panel = page.getByRole('complementary', { name: 'Card: Card of Fifth' })
  const open = async () => {
    await page.getByRole('link', { name: 'Card of Fifth' }).click()
    await panel.waitFor()
    await isInSight(page, 'Card of Fifth')
  }
  await open()
  await eventually(async () => assert.ok((await left()) > 500))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await left(), 500))
  await hasFocus(page, 'Card of Fifth')

  await open()
  await board.evaluate((element) => element.scrollTo({ left: 700 }))
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await hasFocus(page, 'Card of Fifth')
  assert.equal(await left(), 700)
})
