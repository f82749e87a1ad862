// A real browser on the real service: one browser per process, one service per file, an empty profile for each test. Errors on the page fail the test.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { cookieName } from '#identity/sessions.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { fileOf } from '../tools/system-programs.ts'
import { createBoard } from './board.ts'
import { drawn } from './drawn.ts'
import { afterAllFiles, afterFile } from './file-scope.ts'
import { eventually } from './process.ts'
import { startTestService, type TestService, type TestUser } from './service.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A name for this machine that the browser does not treat as localhost, so that http to it is not secure. */
export const otherHost = 'cardinal.test'

const browser = await chromium.launch({
  executablePath: await fileOf('chromium'),
  // Chromium has no sandbox as root; it opens only our own pages here.
  args: [
    '--no-sandbox',
    '--disable-dev-shm-usage',
    `--host-resolver-rules=MAP ${otherHost} 127.0.0.1`,
    // Pages of a profile share a process, which has compiled the app already; that takes longer than most of what a test does.
    '--renderer-process-limit=1',
    // Without it the processor imitates a graphics card, which takes a fifth of the time of a test.
    '--disable-gpu',
  ],
})
afterAllFiles(() => browser.close())

export let service = await startTestService()

let isFirstFile = true

/** A service of its own for each file of a process (tests/together.ts). */
export async function beginFile() {
  if (!isFirstFile) service = await startTestService()
  isFirstFile = false
  afterFile(async () => {
    for (const { context } of [...free.values()].flat()) await context.close()
    free.clear()
  })
}

export type Window = Awaited<ReturnType<typeof openWindow>>

/** A service other than that of the file; without `db` it shares its database. */
type Place = Pick<TestService, 'url'> & Partial<Pick<TestService, 'db' | 'beforeEnd'>>

interface Options extends BrowserContextOptions {
  /** Console errors that the test causes on purpose. */
  expected?: RegExp
  on?: Place
  /** A superadmin has not said yet why they open the project. */
  isUnannounced?: true
}

interface Profile {
  context: BrowserContext
  /** A page of the service that stays open, and the process with it. */
  kept: Page
  /** A test has set something for good. */
  isSpoiled: boolean
  /** A test has closed it. */
  isClosed: boolean
}

/** Profiles of earlier tests of the file, empty again, by their options. */
const free = new Map<string, Profile[]>()

async function takeProfile(key: string, options: BrowserContextOptions): Promise<Profile> {
  const found = free.get(key)?.pop()
  if (found) {
    await found.context.grantPermissions(options.permissions ?? [])
    return found
  }
  const context = await browser.newContext(options)
  context.setDefaultTimeout(30_000)
  const kept = await context.newPage()
  await kept.goto('/favicon.svg')
  const profile = { context, kept, isSpoiled: false, isClosed: false }
  context.on('close', () => {
    profile.isClosed = true
  })
  const { clock } = context
  const install = clock.install.bind(clock)
  clock.install = (...args) => {
    profile.isSpoiled = true
    return install(...args)
  }
  return profile
}

/** Empties a profile for the next test. */
async function giveBack(key: string, profile: Profile) {
  const { context, kept, isSpoiled, isClosed } = profile
  if (isClosed) return
  if (isSpoiled) return context.close()
  await Promise.all(context.pages().map((page) => page !== kept && page.close()))
  await Promise.all([
    context.clearCookies(),
    context.clearPermissions(),
    context.setOffline(false),
    kept.evaluate('localStorage.clear()'),
  ])
  free.set(key, [...(free.get(key) ?? []), profile])
}

/** Opens a window with an empty browser profile; console errors, dialogs and policy violations fail the test. */
export async function openWindow(
  t: TestContext,
  { expected, on = service, isUnannounced: _, ...others }: Options = {},
) {
  const options = { viewport: { width: 1280, height: 800 }, baseURL: on.url, ...others }
  const key = JSON.stringify(options)
  const profile = await takeProfile(key, options)
  const { context } = profile
  const problems: string[] = []
  const page = await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error.stack)))
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  // A service that the test itself started ends before what follows, and a page would ask for it in vain.
  on.beforeEnd?.(() => page.close())
  t.after(async () => {
    await giveBack(key, profile)
    assert.deepEqual(
      problems.filter((problem) => !expected?.test(problem)),
      [],
    )
  })
  return { page, context }
}

/** Opens a window in which a user is signed in, without the cost of a password check. A superadmin has a visit to the project in the address. */
export async function openAs(
  t: TestContext,
  { id }: Pick<TestUser, 'id'>,
  address: string,
  options: Options = {},
) {
  const { page, context } = await openWindow(t, options)
  await signIn(context, { id }, options.on)
  const [, project] = /^\/p\/(\d+)/.exec(address) ?? []
  if (project !== undefined && !options.isUnannounced) await visit({ id }, Number(project), options.on)
  await page.goto(address)
  return page
}

/** As if the user had given a reason to open a project that they do not belong to, and allowed themselves changes. */
export async function visit(
  { id }: Pick<TestUser, 'id'>,
  projectId: number,
  { db = service.db }: Partial<Place> = {},
) {
  await db.sql`
    insert into support_visits (project_id, session_id, reason, may_change, ends_at)
    select p.id, s.id, 'A test', true, now() + interval '1 hour' from projects p, sessions s
    where p.id = ${projectId} and s.user_id = ${id} order by s.id desc limit 1`
}

/** Gives the browser a session of the user and replaces the current one. */
export async function signIn(
  context: BrowserContext,
  { id }: Pick<TestUser, 'id'>,
  { url, db = service.db }: Place = service,
) {
  const token = newToken()
  await db.sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    values (${sha256(token)}, ${id}, 'cookie', false, '127.0.0.1', 'browser', now() + interval '1 day')`
  await context.addCookies([
    {
      name: cookieName,
      value: token,
      // Set for https, as the cookie requires; the browser also sends it over http on this machine.
      url: url.replace('http:', 'https:'),
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    },
  ])
}

/** A new project with a board of three groups, and the board's address. */
export async function createScene(options: { cards?: number } = { cards: 3 }) {
  const board = await createBoard(service, options)
  return { ...board, path: `/p/${board.projectId}/boards/${board.boardId}` }
}

export type Scene = Awaited<ReturnType<typeof createScene>>

/** The stored board: titles of cards by group. */
export async function stored({ member, boardId }: Scene): Promise<Record<string, string[]>> {
  const { board } = await member.call('/services/operations/v1/operations/boards/get', { id: boardId })
  return Object.fromEntries(board.groups.map(({ title, cards }) => [title, cards.map((card) => card.title)]))
}

export const hasStored = (scene: Scene, expected: Record<string, string[]>) =>
  eventually(async () => assert.deepEqual(await stored(scene), expected))

/** Someone else moves a card to the end of a group. */
export async function moveTo({ admin, boardId, cardIds }: Scene, card: `Card ${number}`, goal: string) {
  const { board } = await admin.call('/services/operations/v1/operations/boards/get', { id: boardId })
  const group = board.groups.find(({ title }) => title === goal)
  assert.ok(group)
  const id = cardIds[Number(card.slice('Card '.length)) - 1] as number
  await admin.call('/services/operations/v1/operations/cards/move', { id, group_id: group.id })
}

const allRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What can differ between the two appearances. */
const rulesAboutColors = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
const appearances = ['light', 'dark'] as const

/** Asserts that axe-core finds no problem on the page, in light or dark; in `npm run long` in both. */
export async function assertAccessible(page: Page, name: string) {
  // Injected past the page's own policy, which forbids foreign scripts. Its value would be all of axe, and be sent here.
  if (!(await page.evaluate("'axe' in window")))
    await page.evaluate(`{${axeSource}\nwindow.axe = axe}\nundefined`)
  const isPictured = Boolean(process.env['CARDINAL_SCREENS'])
  for (const [index, colorScheme] of (isPictured ? appearances : drawn(appearances)).entries()) {
    const runOnly = index === 0 ? allRules : rulesAboutColors
    const options = JSON.stringify({ runOnly, resultTypes: ['violations'] })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const violations = (await page.evaluate(`axe.run(document, ${options})
      .then(({ violations }) => violations.map(({ id, help, nodes }) => ({ id, help,
        nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => html.slice(0, 200) + ' ' + failureSummary) })))`)) as object[]
    assert.deepEqual(violations, [], `${name}, ${colorScheme}: ${JSON.stringify(violations, null, 2)}`)
    if (isPictured) await picture(page, `${name}, ${colorScheme}`)
  }
}

/** Screenshots for people: the page as it is, and its address on a phone. */
async function picture(page: Page, name: string) {
  const file = (width: string) =>
    path.join(import.meta.dirname, '../artifacts/screens', `${name}, ${width}.png`)
  await page.screenshot({ path: file('wide') })
  const phone = await page.context().newPage()
  await phone.setViewportSize({ width: 360, height: 740 })
  const colorScheme = name.endsWith('dark') ? 'dark' : 'light'
  await phone.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await phone.goto(page.url(), { waitUntil: 'load' })
  await phone.waitForTimeout(1000)
  await phone.screenshot({ path: file('phone') })
  await phone.close()
}

/** The last announcement to screen readers. */
export const announced = (page: Page) => page.locator('[data-announcer]')

/** The titles of a group's cards on the page. */
export const cardsIn = (page: Page, group: string) =>
  page.getByRole('list', { name: `Cards in ${group}` }).getByRole('link')

export const shows = (page: Page, group: string, titles: string[]) =>
  eventually(async () => assert.deepEqual(await cardsIn(page, group).allTextContents(), titles))

/** Presses, moves in steps as a hand does, and releases. */
export async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 8, { steps: 3 })
  await page.mouse.move(to.x, to.y, { steps: 8 })
  await page.mouse.move(to.x, to.y + 1)
  await page.mouse.up()
}

/** The center of a card. */
export async function middleOf(page: Page, name: string) {
  const box = await page.getByRole('link', { name }).boundingBox()
  assert.ok(box)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2, top: box.y, bottom: box.y + box.height }
}

/** From the next page on, `movedIn` knows what moves without anybody's doing. */
export const watchMoves = (page: Page) =>
  page.addInitScript(`{
    window.moves = []
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries())
        for (const { node, previousRect: from, currentRect: to } of sources)
          if (from.width > 0 && to.width > 0)
            window.moves.push([(node?.className ?? node?.parentElement?.className), from.x, from.y, '→', to.x, to.y].join(' '))
    }).observe({ type: 'layout-shift', buffered: true })
  }`)

/** What has moved since it was last asked, once the page is at rest. */
export const movedIn = (page: Page): Promise<string[]> =>
  page.evaluate(
    `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(window.moves.splice(0)), 100)))`,
  )
