import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import {
  cardsIn,
  createScene,
  hasStored,
  middleOf,
  openAs,
  type Scene,
  shows,
  stored,
} from '#tests/browser.ts'
import { eventually } from '#tests/process.ts'

interface Point {
  x: number
  y: number
}

/** More movements than a drag by mouse would ever have as pointer events. */
const steps = 30

/** A window of a touch screen, and one finger on it. */
async function openOnTouch(
  t: TestContext,
  scene: Scene,
  width: number,
  role: 'member' | 'viewer' = 'member',
) {
  const page = await openAs(t, scene.members[role], scene.path, {
    hasTouch: true,
    isMobile: true,
    viewport: { width, height: 740 },
  })
  await cardsIn(page, 'To do').first().waitFor()
  // On a phone it moves the cards down when it is loaded.
  await page.getByRole('button', { name: 'Filter', exact: true }).waitFor()
  const protocol = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel', ...touchPoints: Point[]) =>
    protocol.send('Input.dispatchTouchEvent', { type, touchPoints })
  let at: Point
  return {
    page,
    finger: {
      async press(point: Point) {
        at = point
        await send('touchStart', at)
      },
      async moveTo({ x, y }: Point) {
        const from = at
        for (let step = 1; step <= steps; step++) {
          at = { x: from.x + ((x - from.x) * step) / steps, y: from.y + ((y - from.y) * step) / steps }
          await send('touchMove', at)
        }
      },
      /** At once, so that the finger does not rest however slow the machine is. */
      async swipe(from: Point, to: Point) {
        at = { x: from.x + (to.x - from.x) / 4, y: from.y + (to.y - from.y) / 4 }
        await Promise.all([send('touchStart', from), send('touchMove', at)])
        await this.moveTo(to)
      },
      leave: () => send('touchEnd'),
      interrupt: () => send('touchCancel'),
    },
  }
}

const isLifted = (page: Page) => page.locator('.touch-image').waitFor()
const isDown = (page: Page) => page.locator('.touch-image').waitFor({ state: 'detached' })

const isIn = ({ x, y }: Point, box: { x: number; y: number; width: number; height: number } | null) =>
  box && x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height

async function middleOfGroup(page: Page, name: string) {
  const box = await page.getByRole('region', { name }).boundingBox()
  assert.ok(box)
  return { x: box.x + box.width / 2, y: box.y + 24 }
}

test('a card is dragged by touch within its group and to another one, with undo', async (t) => {
  const scene = await createScene()
  const { page, finger } = await openOnTouch(t, scene, 1000)
  const last = await middleOf(page, 'Card 3')
  await finger.press(await middleOf(page, 'Card 1'))
  await isLifted(page)
  const landing = { x: last.x, y: last.bottom + 8 }
  await finger.moveTo(landing)
  assert.ok(
    isIn(landing, await page.locator('.touch-image').boundingBox()),
    'the card is not under the finger',
  )
  await finger.leave()
  await shows(page, 'To do', ['Card 2', 'Card 3', 'Card 1'])
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3', 'Card 1'], Doing: [], Done: [] })
  await finger.press(await middleOf(page, 'Card 3'))
  await isLifted(page)
  await finger.moveTo(await middleOfGroup(page, 'Doing'))
  await finger.leave()
  await isDown(page)
  await hasStored(scene, { 'To do': ['Card 2', 'Card 1'], Doing: ['Card 3'], Done: [] })
  await page.getByRole('button', { name: 'Undo' }).last().tap()
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3', 'Card 1'], Doing: [], Done: [] })
})

test('a long list scrolls while a card is held at its end by touch', async (t) => {
  const scene = await createScene({ cards: 30 })
  const { page, finger } = await openOnTouch(t, scene, 1000)
  const list = page.getByRole('region', { name: 'To do' }).locator('.column-list')
  const frame = await list.boundingBox()
  assert.ok(frame)
  await finger.press(await middleOf(page, 'Card 5'))
  await isLifted(page)
  await finger.moveTo({ x: frame.x + 60, y: frame.y + frame.height - 12 })
  await eventually(async () => assert.ok((await list.evaluate(({ scrollTop }) => scrollTop)) > 200))
  await finger.interrupt()
})

test('a card dropped by touch below a short column lands there, whatever column was crossed before', async (t) => {
  const scene = await createScene()
  const { page, finger } = await openOnTouch(t, scene, 1300)
  const done = await middleOfGroup(page, 'Done')
  const from = await middleOf(page, 'Card 1')
  await finger.press(from)
  await isLifted(page)
  await finger.moveTo({ x: from.x, y: 690 })
  await finger.moveTo({ x: done.x, y: 690 })
  await page.getByRole('region', { name: 'Done' }).locator('.landing').waitFor()
  await finger.leave()
  await hasStored(scene, { 'To do': ['Card 2', 'Card 3'], Doing: [], Done: ['Card 1'] })
})

test('on a phone, holding a card at the edge scrolls to the next groups', async (t) => {
  const scene = await createScene()
  for (const title of ['Later', 'Last'])
    await scene.admin.call('/services/operations/v1/operations/groups/create', {
      board_id: scene.boardId,
      title,
    })
  const { page, finger } = await openOnTouch(t, scene, 360)
  const from = await middleOf(page, 'Card 2')
  await finger.press(from)
  await isLifted(page)
  await finger.moveTo({ x: 352, y: from.y })
  await eventually(async () => {
    const box = await page.getByRole('button', { name: 'Add group' }).boundingBox()
    assert.ok(box && box.x < 300)
  })
  await finger.moveTo({ x: 20, y: 150 })
  await page.locator('[data-over="true"]:not([aria-label="To do"])').waitFor()
  await finger.leave()
  await isDown(page)
  await eventually(async () => {
    const { 'To do': toDo, ...others } = await stored(scene)
    assert.deepEqual([toDo, Object.values(others).flat()], [['Card 1', 'Card 3'], ['Card 2']])
  })
  await page.getByRole('link', { name: 'Card 2' }).waitFor()
})

test('a card that is deleted while it is dragged by touch is dropped', async (t) => {
  const scene = await createScene()
  const { page, finger } = await openOnTouch(t, scene, 1000)
  await finger.press(await middleOf(page, 'Card 2'))
  await isLifted(page)
  await scene.member.call('/services/operations/v1/operations/cards/delete', {
    id: scene.cardIds[1] as number,
  })
  await shows(page, 'To do', ['Card 1', 'Card 3'])
  await finger.moveTo(await middleOfGroup(page, 'Doing'))
  await page.locator('[data-over="true"]').waitFor()
  await finger.interrupt()
  await isDown(page)
  await page.locator('[data-over="true"]').waitFor({ state: 'detached' })
  await finger.press(await middleOf(page, 'Card 3'))
  await isLifted(page)
  await finger.moveTo(await middleOfGroup(page, 'Doing'))
  await finger.leave()
  await hasStored(scene, { 'To do': ['Card 1'], Doing: ['Card 3'], Done: [] })
})

test('a group is dragged by touch by its head', async (t) => {
  const scene = await createScene()
  const { page, finger } = await openOnTouch(t, scene, 1300)
  const { x, y } = await middleOfGroup(page, 'Done')
  await finger.press(await middleOfGroup(page, 'To do'))
  await isLifted(page)
  await finger.moveTo({ x: x + 60, y })
  await finger.leave()
  await eventually(async () => assert.deepEqual(Object.keys(await stored(scene)), ['Doing', 'Done', 'To do']))
})

test('a tap opens the card, a swipe scrolls, and an interrupted drag moves nothing', async (t) => {
  const scene = await createScene({ cards: 30 })
  const { page, finger } = await openOnTouch(t, scene, 1000)
  const from = await middleOf(page, 'Card 3')
  await finger.swipe(from, { x: from.x, y: from.y - 150 })
  // As long as it takes to lift a card that is not being scrolled.
  await sleep(500)
  assert.equal(await page.locator('.touch-image').count(), 0)
  await finger.leave()
  await eventually(async () =>
    assert.ok(
      (await page
        .locator('.column-list')
        .first()
        .evaluate((list) => list.scrollTop)) > 50,
    ),
  )

  await finger.press(await middleOf(page, 'Card 5'))
  await isLifted(page)
  await finger.moveTo(await middleOfGroup(page, 'Doing'))
  await finger.interrupt()
  await isDown(page)
  assert.equal(await cardsIn(page, 'Doing').count(), 0)

  await page.getByRole('link', { name: 'Card 6' }).tap()
  await page.getByRole('complementary', { name: 'Card: Card 6' }).waitFor()
  assert.equal((await stored(scene))['To do']?.[4], 'Card 5')
})

test('a viewer cannot drag by touch', async (t) => {
  const scene = await createScene()
  const { page, finger } = await openOnTouch(t, scene, 1000, 'viewer')
  await finger.press(await middleOf(page, 'Card 1'))
  await sleep(500)
  assert.equal(await page.locator('.touch-image').count(), 0)
  await finger.moveTo(await middleOfGroup(page, 'Doing'))
  await finger.leave()
  await hasStored(scene, { 'To do': ['Card 1', 'Card 2', 'Card 3'], Doing: [], Done: [] })
})
