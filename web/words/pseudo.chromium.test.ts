import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { after } from 'node:test'
import type { Page } from 'playwright-core'
import { sentences } from '#languages/de.ts'
import { openAs, service, visit } from '#tests/browser.ts'
import { effort } from '#tests/effort.ts'
import { pseudoTexts } from '#tests/pseudo-language.ts'
import { seedDemo } from '../../demo/seed.ts'
import { buildLanguage } from '../../tools/build-web.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'cardinal-pseudo-'))
after(() => rm(folder, { recursive: true }))
await buildLanguage('en', await pseudoTexts(), folder)
await seedDemo(service.db, { isSmall: true })

/** The build comes from the folder, everything else from the service. */
async function speakPseudo(page: Page) {
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (route.request().resourceType() === 'document')
      return route.fulfill({
        body: await readFile(path.join(folder, 'index.html')),
        contentType: 'text/html',
      })
    if (!pathname.startsWith('/assets/') || !/\.(js|css)$/.test(pathname)) return route.continue()
    return route.fulfill({ path: path.join(folder, pathname) })
  })
}

/** What the service says: languages/sentences.test.ts holds that every language has it. */
const patterns = Object.keys(sentences).map((text) =>
  text
    .split(/:[a-z]+/)
    .map((part) => RegExp.escape(part))
    .join('.+'),
)
const saidByService = new RegExp(`^(${patterns.join('|')})$`)

/** Everything that people or the demo wrote; it stands in elements of its own. */
async function writtenTexts(): Promise<Set<string>> {
  const columns = await service.db.sql<{ table: string; column: string }[]>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = current_schema() and data_type in ('text', 'jsonb') and table_name <> 'migrations'`
  const texts = new Set<string>()
  for (const { table, column } of columns) {
    const rows = await service.db.sql<{ text: string }[]>`
      select distinct ${service.db.sql(column)}::text as text from ${service.db.sql(table)}
      where length(${service.db.sql(column)}::text) < 2000`
    // Line by line, as a comment is shown until the part that reads Markdown is loaded.
    for (const { text } of rows) for (const line of text.split('\n')) texts.add(line.trim())
  }
  // The operator writes what plans contain, in the languages they choose.
  const { token } = await service.addUser()
  const { plans } = await service.client(token).call('/services/platforms/v1/plans/list')
  for (const { features } of plans) for (const feature of features) texts.add(feature)
  return texts
}

/** What the browser itself says of days. */
const days = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const dates = (['long', 'short'] as const).flatMap((width) => {
  const format = new Intl.DateTimeFormat('en', { weekday: width, month: width })
  return Array.from(
    { length: 365 },
    (_, day) => format.format(new Date(2026, 0, day + 1)).match(/\w+/g) ?? [],
  )
})
const names = new Set(dates.flat())
const ofBrowser = [...[-1, 0, 1].map((count) => days.format(count, 'day')), ...names].join('|')

/** Names, plans, products, web addresses, days, and the device of the test's session. */
const alike = new RegExp(
  `\\b(Cardinal|English|Deutsch|Starter|Pro|Business|Website|Shop|browser|${ofBrowser})\\b|https?://\\S+|[A-Z][a-z]{2} \\d+`,
  'gi',
)

/** The texts that are seen, heard or in the tab's title, without what stands between the marks. */
async function seenOutside(page: Page): Promise<string[]> {
  const found = await page.evaluate(() => {
    const texts: string[] = []
    const attributes: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : (node.parentElement as Element)
      // Descriptions, code and initials are what people wrote.
      if (element.closest('time, code, kbd, .html, .avatar, [contenteditable], noscript, script, style'))
        continue
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      if (node !== element) texts.push(node.textContent ?? '')
      else
        for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'data-tip'])
          attributes.push(element.getAttribute(name) ?? '')
    }
    // A sentence with elements in it opens and closes its marks in different texts.
    return [texts.join('\n'), ...attributes, document.title]
  })
  return found.flatMap((text) => withoutMarked(text).split(/\n| · /)).map((text) => text.trim())
}

/** Values inside of a text may be texts themselves. */
function withoutMarked(text: string): string {
  const shorter = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '')
  return shorter === text ? text : withoutMarked(shorter)
}

/** Buttons whose words are cut off or leave them, and a page that is wider than its window. */
const brokenLayout = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.documentElement
    const wide = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} px wide`] : []
    const buttons = [...document.querySelectorAll<HTMLElement>('button, a.button, label, th, h1, h2')]
    const cut = buttons.filter((one) => {
      const isCut = one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0
      return isCut && getComputedStyle(one).textOverflow !== 'ellipsis' && !one.querySelector('.truncate')
    })
    return [...wide, ...cut.map((one) => `${one.className}: ${one.innerText}`)]
  })

const [{ id: superadmin }] = (await service.db.sql`
  select id from users where email = 'superadmin@cardinal.test'`) as unknown as [{ id: number }]

const one = async (table: string) => {
  const rows = await service.db.sql<{ id: number; project_id: number }[]>`
    select * from ${service.db.sql(table)} order by id limit 1`
  return rows[0] as { id: number; project_id: number }
}

/** `npm test` opens the main pages, `npm run long` every page with its first menus and pickers. */
const isWhole = effort > 1

test('pages say nothing but translated texts, and long words fit', async (t) => {
  const card = await one('cards')
  const project = `/p/${card.project_id}`
  const [{ board_id: board }] = (await service.db.sql`
    select board_id from groups where id = ${(card as unknown as { group_id: number }).group_id}
    and project_id = ${card.project_id}`) as unknown as [{ board_id: number }]
  await service.db.sql`
    update cards set evaluation_check = 'http:/', evaluated_check = 'http:/', evaluation_passed = false, evaluated_at = now(),
      evaluation_finding = '{"code": "answered", "status": 404}' where project_id = ${card.project_id} and id = ${card.id}`
  const template = await one('master_boards')
  const masterCard = await one('master_cards')
  const rollout = await one('rollouts')
  const written = await writtenTexts()
  /** Each with the first place where it was seen. */
  const problems = new Map<string, string>()
  const page = await openAs(t, { id: superadmin }, 'about:blank', {
    reducedMotion: 'reduce',
    expected: /40[134]/,
  })
  await visit({ id: superadmin }, card.project_id)
  await speakPseudo(page)
  const check = async (where: string) => {
    const outside = (await seenOutside(page)).filter(
      (text) => !written.has(text) && !saidByService.test(text),
    )
    for (const text of new Set(
      outside.map((one) => one.replaceAll(alike, '')).filter((one) => /[a-z]{2}/i.test(one)),
    ))
      if (!problems.has(text)) problems.set(text, where)
    for (const broken of await brokenLayout(page)) if (!problems.has(broken)) problems.set(broken, where)
  }
  const mainPages = [
    '/home',
    `/boards/${board}/cards/${card.id}`,
    '/my-cards',
    '/themes',
    '/subscription',
    `/templates/${template.id}`,
    `/rollouts/${rollout.id}`,
    '/settings',
    '/audit-log',
    '/account',
  ]
  const others = [
    '/boards',
    `/boards/${board}`,
    `/boards/${board}/activity`,
    '/search',
    '/search?q=zzz',
    '/trash',
    '/theme-reviews',
    '/orders',
    '/templates',
    `/templates/${template.id}/cards/${masterCard.id}`,
    `/templates/${template.id}/settings`,
    `/templates/${template.id}/versions`,
    `/templates/${template.id}/versions/1`,
    `/templates/${template.id}/log`,
    '/template-trash',
    '/rollouts',
    '/nowhere',
  ]
  const ofOperator = ['', '/projects', `/projects/${card.project_id}`, `/roll-ups/${template.id}`].map(
    (path) => `/operator${path}`,
  )
  const inProject = (isWhole ? [...mainPages, ...others] : mainPages).map((path) => project + path)
  for (const path of [...inProject, ...ofOperator]) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(service.url + path)
    await page.getByRole('heading').first().waitFor()
    if (path.includes('/cards/')) await page.getByRole('complementary').waitFor()
    await page.waitForFunction(() => document.querySelector('.loading, .skeleton') === null)
    await check(path)
    if (isWhole) await openEach(page, path, check)
    await page.setViewportSize({ width: 390, height: 800 })
    await check(`${path} on a phone`)
  }
  await page.context().clearCookies()
  for (const path of ['/sign-in', '/setup']) {
    await page.goto(service.url + path)
    await page.getByRole('heading').first().waitFor()
    await check(path)
  }
  assert.deepEqual([...problems], [])
})

/** Opens the first menus and pickers of a page; the others are more of the same. */
async function openEach(page: Page, path: string, check: (where: string) => Promise<void>) {
  const openers = page.locator('[aria-haspopup]:visible')
  const count = Math.min(await openers.count(), 12)
  for (let index = 0; index < count; index++) {
    await openers.nth(index).click()
    await check(`${path}, menu ${index + 1}`)
    await page.keyboard.press('Escape')
  }
}
