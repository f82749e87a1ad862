import assert from 'node:assert/strict'
import test from 'node:test'
import { assertAccessible, createScene, openAs, service } from '#tests/browser.ts'
import { drawn } from '#tests/drawn.ts'
import { createTemplateScene } from '#tests/template-scene.ts'

test('no page is wider than its window at any size, and none loads from other hosts', async (t) => {
  const scene = await createScene()
  const template = await createTemplateScene()
  const card = `/boards/${scene.boardId}/cards/${scene.cardIds[0]}`
  // A panel that slides in is wider for a moment.
  const page = await openAs(t, template.user, scene.path, { reducedMotion: 'reduce', expected: /40[14]/ })
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const own = ['', '/home', '/boards', `/boards/${scene.boardId}`, card, `/boards/${scene.boardId}/activity`]
  const paths = [
    '/inbox',
    '/my-cards',
    '/search',
    '/trash',
    '/themes',
    '/subscription',
    '/account',
    '/templates',
    '/rollouts',
  ]
  const shown = [...own, ...paths, '/theme-reviews', '/nowhere'].map((path) => `/p/${scene.projectId}${path}`)
  const tooWide: string[] = []
  const ofOperator = [
    '',
    '/projects',
    `/projects/${scene.projectId}`,
    '/themes',
    '/audit',
    '/account',
    '/nowhere',
  ].map((path) => `/operator${path}`)
  const rollUp = `/operator/roll-ups/${template.boardId}`
  const signedIn = [...shown, ...ofOperator, rollUp, template.path, '/nowhere', '/setup']
  for (const path of [...drawn(signedIn, 10), '/sign-in']) {
    // Who is signed in is led on from there.
    if (path === '/sign-in') await page.context().clearCookies()
    await page.goto(path)
    await page.getByRole('heading').first().waitFor()
    for (const width of [360, 3000]) {
      await page.setViewportSize({ width, height: 740 })
      const widest = await page.evaluate(() => document.documentElement.scrollWidth)
      if (widest > width) tooWide.push(`${path} is ${widest} px wide in ${width} px`)
    }
  }
  assert.deepEqual(tooWide, [])
  assert.deepEqual([...hosts], [new URL(service.url).host])
})

test('missing pages and projects are accessible, and their tab titles say so', async (t) => {
  const { members, projectId } = await createScene({ cards: 0 })
  const foreign = await service.addProject('Foreign')
  const page = await openAs(t, members.member, '/nowhere', { expected: /403/ })
  for (const [path, heading] of [
    ['/nowhere', 'Page not found'],
    [`/p/${projectId}/nowhere`, 'Page not found'],
    [`/p/${foreign}/boards`, "This project can't be opened"],
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: heading }).waitFor()
    await assertAccessible(page, path.slice(1).replaceAll('/', ' '))
    assert.match(await page.title(), /^(Not found|Not opened) · Cardinal$/)
  }
  // It is tried again by itself, and the page stays meanwhile.
  const main = await page.locator('main').elementHandle()
  for (const _ of [1, 2]) await page.waitForResponse(/users\/me/)
  assert.equal(await main?.evaluate((element) => element.isConnected), true)
})
