import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from 'playwright-core'
import { connect } from '#database/connect.ts'
import { cookieName } from '#identity/sessions.ts'
import { sha256 } from '#identity/tokens.ts'
import { firstScriptBytes, mostFirstScriptBytes } from '../../tools/first-scripts.ts'
import { fileOf } from '../../tools/system-programs.ts'
import { compare } from '../compare.ts'
import type { Measurement, Row, Stage } from '../row.ts'
import { addMember, addScenes } from '../scene.ts'
import { fetchAnswer } from '../session.ts'
import { median, percentile } from '../statistics.ts'

const openings = 5
/** Sizes are in kB of 1,000 bytes, as networks and the browser count them. */
const kilobyte = 1000

export const webRows: Row[] = [
  {
    name: 'web: JavaScript of sign-in and board in the longest language, gzip',
    unit: 'kB',
    target: { atMost: mostFirstScriptBytes / kilobyte },
    measure: async () => ({ subject: (await firstScriptBytes()) / kilobyte }),
  },
  ...slowRows({
    'outline painted': { unit: 'ms', atMost: 2000, read: ({ outlineAt }) => outlineAt },
    'first card': { unit: 'ms', atMost: 7000, read: ({ cardAt }) => cardAt },
    'over the wire until the first card': { unit: 'kB', atMost: 190, read: ({ bytes }) => bytes / kilobyte },
    'requests answered until the first card': {
      unit: 'requests',
      atMost: 8,
      read: ({ requests }) => requests,
    },
  }),
  {
    name: 'web: open a board of 3,000 cards',
    unit: 'ms',
    target: { atMost: 1500 },
    measure: async (stage) => ({ subject: (await openLargeBoard(stage)).milliseconds }),
  },
  {
    name: 'web: card elements of a board of 3,000 cards',
    unit: 'elements',
    target: { atMost: 400 },
    measure: async (stage) => ({ subject: (await openLargeBoard(stage)).elements }),
  },
  {
    name: 'web: p95 of the frames while a card is dragged over a board of 3,000 cards',
    unit: 'ms',
    ceiling: 'over a board of 120 cards',
    target: { atMost: 1.25 },
    async measure(stage) {
      const large = await openBoard(stage, 500)
      const small = await openBoard(stage, 20)
      await Promise.all([large.open(), small.open()])
      return compare(
        () => frameOfDrag(large.page),
        () => frameOfDrag(small.page),
        { pairs: 5, warmUps: 1 },
      )
    },
  },
  {
    name: 'web: a step of selecting by x and Shift-arrows until painted, on a board of 3,000 cards',
    unit: 'ms',
    ceiling: 'on a board of 120 cards',
    target: { atMost: 1.25 },
    measure: (stage) => compareSelecting(stage, stepOfKeys),
  },
  {
    name: 'web: a step of a lasso around 50 cards until painted, on a board of 3,000 cards',
    unit: 'ms',
    ceiling: 'on a board of 120 cards',
    target: { atMost: 1.25 },
    measure: (stage) => compareSelecting(stage, stepOfLasso),
  },
  {
    name: 'web: p95 of the frames while a table of 10,000 cards is scrolled',
    unit: 'ms',
    ceiling: 'a table of 120 cards',
    target: { atMost: 1.25 },
    async measure(stage) {
      const large = await openBoard(stage, 1667)
      const small = await openBoard(stage, 20)
      await Promise.all([large.open('?view=table'), small.open('?view=table')])
      return compare(
        () => frameOfScroll(large.page),
        () => frameOfScroll(small.page),
        { pairs: 5, warmUps: 1 },
      )
    },
  },
  {
    name: 'web: switch a board of 3,000 cards with due dates to the calendar',
    unit: 'ms',
    target: { atMost: 500 },
    measure: async (stage) => ({ subject: await openCalendar(stage) }),
  },
  {
    name: 'web: over the wire to a viewer of a board of 3,000 cards for 100 changes by others',
    unit: 'kB',
    target: { atMost: 200 },
    measure: async (stage) => ({ subject: (await watchChanges(stage, 1)).bytes / kilobyte }),
  },
  {
    name: 'web: p95 until others see a change, on a board of 3,000 cards with 50 viewers',
    unit: 'ms',
    target: { atMost: 150 },
    measure: async (stage) => ({ subject: (await watchChanges(stage, 50)).p95 }),
  },
]

const changes = 100
const betweenChangesMilliseconds = 50

/** Somebody else changes the title of a card in sight again and again; one viewer has a browser, the others read the stream only. */
async function watchChanges(stage: Stage, viewers: number): Promise<{ bytes: number; p95: number }> {
  const { service, toUndo } = stage
  const { page, open, projectId, cardIds } = await openBoard(stage, 500)
  const token = await addMember(service.database, projectId, 'other')
  const closed = new AbortController()
  toUndo.defer(() => closed.abort())
  for (let viewer = 1; viewer < viewers; viewer++) await readStream(service, token, closed.signal)
  await open()
  const link = page.locator('[data-card-id]').first()
  await link.waitFor()
  await page.evaluate(`{
    window.seen = {}
    const note = () => {
      const [, number] = /Seen (\\d+)/.exec(document.body.textContent) ?? []
      if (number) window.seen[number] ??= Date.now()
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
  }`)
  // What the opening of the board has left to read is not counted.
  await sleep(2000)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.dataReceived', ({ dataLength, encodedDataLength }) => {
    bytes += encodedDataLength > 0 ? encodedDataLength : dataLength
  })
  const times: number[] = []
  for (let number = 1; number <= changes; number++) {
    const startedAt = Date.now()
    const url = `${service.apiUrl}/services/operations/v1/operations/cards/update`
    await fetchAnswer(url, token, { id: cardIds[0], title: `Seen ${number}` })
    const seen = await page.waitForFunction((one) => (globalThis as { seen?: number[] }).seen?.[one], number)
    times.push(((await seen.jsonValue()) as number) - startedAt)
    await sleep(betweenChangesMilliseconds)
  }
  await sleep(2000)
  return {
    bytes,
    p95: percentile(
      times.toSorted((a, b) => a - b),
      95,
    ),
  }
}

async function readStream({ apiUrl }: Stage['service'], token: string, signal: AbortSignal) {
  const url = `${apiUrl}/services/operations/v2/operations/events/stream`
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  void response.body?.pipeTo(new WritableStream()).catch(() => {})
}

interface Opening {
  outlineAt: number
  cardAt: number
  bytes: number
  requests: number
}

/** A board of 120 cards with an empty cache, in the browser's own simulation of a slow network. */
function slowRows(
  figures: Record<string, { unit: string; atMost: number; read(opening: Opening): number }>,
): Row[] {
  return Object.entries(figures).map(([name, { unit, atMost, read }]) => ({
    name: `web: at 400 ms and 400 kbit/s, ${name}`,
    unit,
    target: { atMost },
    measure: async (stage) => ({ subject: read(await openSlowly(stage)) }),
  }))
}

const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 }

async function openSlowly(stage: Stage): Promise<Opening> {
  const { page, open } = await openBoard(stage, 20)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow)
  await page.addInitScript(`{
    const isShown = (selector) => document.querySelector(selector)?.checkVisibility({ visibilityProperty: true })
    const look = () => {
      if (isShown('#outline')) window.outlineAt ??= performance.now()
      if (isShown('[data-card-id]')) window.cardAt ??= performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  }`)
  await open()
  // Counted by the page, because what was answered until we look at it is more; without the tab's icon, which no card waits for.
  return (await page.evaluate(`{
    const answers = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .filter(({ name, responseEnd }) => responseEnd > 0 && responseEnd <= cardAt && !name.endsWith('/favicon.svg'))
    const bytes = answers.reduce((sum, { transferSize }) => sum + transferSize, 0);
    ({ outlineAt, cardAt, bytes, requests: answers.length })
  }`)) as Opening
}

/** A board of six groups in a browser of its own. */
async function openBoard({ service, toUndo }: Stage, cardsPerGroup: number) {
  const [scene] = await addScenes(service.database, { projects: 1, groups: 6, cardsPerGroup })
  if (!scene) throw new Error('The board was not made.')
  await carryInCookie(service, scene.token)
  const browser = await chromium.launch({ executablePath: await fileOf('chromium'), args: ['--no-sandbox'] })
  toUndo.defer(() => browser.close())
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const url = service.url.replace('http:', 'https:')
  await context.addCookies([
    { name: cookieName, value: scene.token, url, httpOnly: true, secure: true, sameSite: 'Strict' },
  ])
  const page = await context.newPage()
  return {
    page,
    projectId: scene.projectId,
    cardIds: scene.cardIds,
    async open(query = '') {
      const address = `${service.url}/p/${scene.projectId}/boards/${scene.boardId}${query}`
      await page.goto(address, { waitUntil: 'commit' })
      await page.locator('[data-card-id]').first().waitFor()
    },
  }
}

/** From navigation to the first visible card with a warm browser cache; the median of several runs. */
async function openLargeBoard(stage: Stage) {
  const { page, open } = await openBoard(stage, 500)
  const times: number[] = []
  for (let opening = 0; opening <= openings; opening++) {
    await page.goto('about:blank')
    const startedAt = performance.now()
    await open()
    times.push(performance.now() - startedAt)
  }
  // The first opening fills the browser's cache.
  return { milliseconds: median(times.slice(1)), elements: await page.locator('[data-card-id]').count() }
}

/** From the press on Calendar to its first card, with the code already loaded; the median of several runs. */
async function openCalendar(stage: Stage): Promise<number> {
  const { page, open, projectId } = await openBoard(stage, 500)
  const db = connect(stage.service.database, { connections: 1 })
  await db.sql`
    update cards set due_date = date_trunc('month', now()) + (id % 28) * interval '1 day' + interval '12 hours'
    where project_id = ${projectId}`
  await db.end()
  await open()
  const show = (name: string) => page.getByRole('radio', { name }).click()
  const times: number[] = []
  for (let opening = 0; opening <= openings; opening++) {
    const startedAt = performance.now()
    await show('Calendar')
    await page.locator('td [data-card-id]').first().waitFor()
    times.push(performance.now() - startedAt)
    await show('Board')
    await page.locator('.card').first().waitFor()
  }
  return median(times.slice(1))
}

const countFrames = `{
  const frames = []
  window.frames = frames
  const next = (at) => {
    frames.push(at)
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
}`

function frameP95(frames: number[]): number {
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] as number))
  return percentile(
    gaps.toSorted((a, b) => a - b),
    95,
  )
}

/** Scrolls with the wheel, down and up again, never further than the short table is long, so that both are always moving. */
async function frameOfScroll(page: Page): Promise<number> {
  const table = await page.getByRole('grid').boundingBox()
  if (!table) throw new Error('There is no table to scroll.')
  await page.mouse.move(table.x + 200, table.y + 300)
  await page.evaluate(countFrames)
  for (const pixels of [240, -240, 240, -240, 240, -240])
    for (let turn = 0; turn < 15; turn++) await page.mouse.wheel(0, pixels)
  return frameP95((await page.evaluate('frames')) as number[])
}

/** Drags a card over all columns, waits at the bottom of one while it scrolls, and puts the card back. */
async function frameOfDrag(page: Page): Promise<number> {
  const card = await page.locator('.card').first().boundingBox()
  if (!card) throw new Error('There is no card to drag.')
  await page.mouse.move(card.x + 40, card.y + 12)
  await page.mouse.down()
  await page.mouse.move(card.x + 60, card.y + 30, { steps: 4 })
  await page.evaluate(countFrames)
  for (const [x, y] of [
    [1300, 200],
    [400, 700],
    [1300, 700],
    [700, 300],
    [700, 850],
  ] as const)
    await page.mouse.move(x, y, { steps: 60 })
  for (let wait = 0; wait < 40; wait++) await page.mouse.move(700, 850 + (wait % 2))
  const frames = (await page.evaluate('frames')) as number[]
  if ((await page.locator('.landing').count()) === 0) throw new Error('The card is not being dragged.')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return frameP95(frames)
}

/** On a board of 3,000 cards and on a small one, which has as many in sight. */
async function compareSelecting(stage: Stage, stepOf: (page: Page) => Promise<number>): Promise<Measurement> {
  const boards = [await openBoard(stage, 500), await openBoard(stage, 20)] as const
  for (const { page, open } of boards) {
    // All columns are in sight, with nine cards each.
    await page.setViewportSize({ width: 2200, height: 1200 })
    await open()
    await page.evaluate(watchSteps)
    // The first selection loads the code.
    await page.locator('[data-card-id]').first().press('x')
    await page.locator('.selection-bar').waitFor()
    await page.keyboard.press('Escape')
  }
  const [large, small] = boards
  return compare(
    () => stepOf(large.page),
    () => stepOf(small.page),
    { pairs: 5, warmUps: 1 },
  )
}

/** Notes how long it takes from each key or movement of the pointer until the frame with its effect is painted. */
const watchSteps = `{
  window.steps = []
  const note = ({ timeStamp }) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => window.steps.push(performance.now() - timeStamp)
      port2.postMessage(0)
    })
  for (const kind of ['keydown', 'pointermove']) addEventListener(kind, note, { capture: true })
}`

/** Their mean since the last call. */
async function meanStep(page: Page, selected: number): Promise<number> {
  const found = await page.locator('.card[data-selected="true"]').count()
  if (found < selected) throw new Error(`Only ${found} cards are selected.`)
  // Until the last of them are painted, and then without the key that ends the selection.
  const takeSteps = () =>
    page.evaluate('new Promise((resolve) => setTimeout(() => resolve(steps.splice(0)), 100))')
  const steps = (await takeSteps()) as number[]
  await page.keyboard.press('Escape')
  await takeSteps()
  return steps.reduce((sum, one) => sum + one, 0) / steps.length
}

async function stepOfKeys(page: Page): Promise<number> {
  await page.locator('[data-card-id]').first().focus()
  await page.keyboard.press('x')
  for (const arrow of ['Down', 'Right', 'Up', 'Right', 'Down', 'Right', 'Up', 'Right', 'Down', 'Down'])
    await page.keyboard.press(`Shift+Arrow${arrow}`)
  return meanStep(page, 10)
}

async function stepOfLasso(page: Page): Promise<number> {
  const first = await page.locator('.column-list li').first().boundingBox()
  const ninth = await page.locator('.column-list li').nth(8).boundingBox()
  const last = await page.locator('.column-list').last().boundingBox()
  if (!first || !ninth || !last) throw new Error('There are too few cards.')
  // Left of the first column.
  await page.mouse.move(first.x - 14, first.y + 4)
  await page.mouse.down()
  await page.evaluate('void steps.splice(0)')
  await page.mouse.move(last.x + 40, ninth.y + 10, { steps: 40 })
  await page.mouse.up()
  return meanStep(page, 50)
}

async function carryInCookie({ database }: Stage['service'], token: string) {
  const db = connect(database, { connections: 1 })
  await db.sql`update sessions set carrier = 'cookie' where token_hash = ${sha256(token)}`
  await db.end()
}
