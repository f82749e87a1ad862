import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { shared } from '../tools/build-web.ts'

const root = path.join(import.meta.dirname, '..')

/** Which folders or files each folder may import; tests may import anything. */
const allowed: Record<string, string[]> = {
  contract: [],
  // A migration of stored texts needs the function that reads them.
  database: ['start-failure.ts', 'text'],
  audit: ['database', 'log.ts'],
  backup: ['database', 'log.ts', 'start-failure.ts'],
  events: ['contract', 'database'],
  quotas: ['database'],
  coverage: ['database'],
  evaluations: ['database', 'events', 'log.ts', 'quotas'],
  identity: ['audit', 'contract', 'database', 'languages', 'log.ts', 'mail', 'threads.ts'],
  mail: ['database', 'events/support-name.ts', 'languages', 'log.ts', 'text/html.ts'],
  languages: ['contract/speech.ts'],
  live: ['database', 'events/shown-name.ts', 'log.ts', 'presence'],
  presence: ['contract/schema.ts', 'database', 'events/shown-name.ts'],
  text: ['threads.ts'],
  projects: [
    'audit',
    'boards',
    'contract/mistakable-letters.ts',
    'coverage',
    'database',
    'evaluations',
    'events',
    'identity',
    'languages',
    'log.ts',
    'mail',
    'quotas',
    'rollouts',
  ],
  boards: [
    'contract/prepared.ts',
    'contract/schema.ts',
    'coverage',
    'database',
    'events',
    'garbage.ts',
    'quotas',
    'text',
  ],
  templates: ['boards', 'contract/schema.ts', 'coverage', 'database', 'evaluations', 'events', 'quotas'],
  rollouts: [
    'boards',
    'contract/schema.ts',
    'coverage',
    'database',
    'events',
    'log.ts',
    'quotas',
    'templates',
  ],
  fleet: [
    'audit',
    'contract/schema.ts',
    'database',
    'events',
    'log.ts',
    'projects',
    'quotas',
    'rollouts',
    'templates',
  ],
  inbox: ['boards', 'contract/schema.ts', 'database', 'events', 'languages', 'log.ts', 'mail'],
  themes: [
    'boards',
    'contract/schema.ts',
    'database',
    'evaluations',
    'events',
    'identity',
    'languages',
    'quotas',
    'text',
  ],
  billing: [
    'config.ts',
    'contract/schema.ts',
    'database',
    'events',
    'start-failure.ts',
    'text/check-digits.ts',
  ],
  api: [
    'audit',
    'billing',
    'boards',
    'contract',
    'database',
    'evaluations',
    'events',
    'fleet',
    'identity',
    'inbox',
    'languages',
    'log.ts',
    'mail',
    'presence',
    'projects',
    'quotas',
    'rollouts',
    'templates',
    'text',
    'themes',
  ],
  demo: [
    'audit/record.ts',
    'boards/card/due.ts',
    'boards/comment/writing.ts',
    'coverage',
    'database',
    'evaluations',
    'events',
    'fleet',
    'identity',
    'inbox',
    'languages',
    'projects',
    'quotas',
    'rollouts',
    'templates',
    'text/colors.ts',
    'text/icons.ts',
    'themes',
  ],
  jobs: [
    'audit',
    'billing',
    'boards',
    'config.ts',
    'coverage',
    'database',
    'evaluations',
    'events',
    'fleet',
    'identity',
    'inbox',
    'log.ts',
    'mail',
    'projects',
    'themes',
  ],
  routes: [
    'billing',
    'config.ts',
    'contract',
    'database',
    'events',
    'identity',
    'inbox/settings.ts',
    'languages',
    'live',
    'log.ts',
    'mail',
    'projects',
    'text/html.ts',
  ],
  'garbage.ts': [],
  'idle-memory.ts': ['garbage.ts'],
  'threads.ts': [],
  'tracing.ts': ['config.ts', 'database', 'jobs', 'log.ts'],
  'config.ts': ['database/hosts.ts', 'quotas', 'start-failure.ts', 'text/check-digits.ts'],
  'log.ts': ['config.ts'],
  'service.ts': [
    'api',
    'audit',
    'backup',
    'billing',
    'boards',
    'config.ts',
    'contract',
    'database',
    'events',
    'fleet',
    'identity',
    'inbox',
    'jobs',
    'languages',
    'live',
    'log.ts',
    'mail',
    'rollouts',
    'routes',
    'start-failure.ts',
    'text',
    'tracing.ts',
  ],
  cli: [
    'audit',
    'backup',
    'config.ts',
    'contract/mistakable-letters.ts',
    'contract/validate.ts',
    'database',
    'demo',
    'evaluations',
    'identity',
    'idle-memory.ts',
    'jobs',
    'languages',
    'log.ts',
    'projects',
    'quotas',
    'service.ts',
    'start-failure.ts',
    'package.json',
  ],
}

/** The same for the rooms of the web app; a folder inside another is a room of its own. */
const allowedInWeb: Record<string, string[]> = {
  ui: [],
  /** What people read; every room uses it. */
  words: [],
  data: ['ui'],
  drafts: ['data', 'ui'],
  identity: ['data', 'drafts', 'ui'],
  tour: ['data', 'identity', 'ui'],
  audit: ['data', 'identity', 'projects', 'ui'],
  'identity/account': ['data', 'drafts', 'identity', 'ui'],
  projects: ['data', 'ui'],
  'projects/members': ['data', 'identity', 'ui'],
  'projects/settings': ['data', 'drafts', 'identity', 'projects', 'ui'],
  billing: ['data', 'identity', 'ui'],
  'billing/receipts': ['billing', 'data', 'ui'],
  'billing/orders': ['billing', 'data', 'ui'],
  themes: ['data', 'identity', 'ui'],
  'themes/reviews': ['data', 'drafts', 'fleet', 'themes', 'ui'],
  inbox: ['boards', 'data', 'projects', 'ui'],
  fleet: ['data', 'projects', 'ui'],
  'fleet/audiences': ['billing', 'data', 'fleet', 'projects', 'ui'],
  'fleet/projects': ['billing', 'data', 'drafts', 'fleet', 'fleet/audiences', 'projects', 'ui'],
  'fleet/customized': ['boards', 'data', 'fleet', 'ui'],
  'fleet/subscriptions': ['billing', 'data', 'fleet', 'ui'],
  'fleet/overview': ['data', 'fleet', 'ui'],
  'fleet/roll-up': ['data', 'fleet', 'ui'],
  'fleet/project': ['audit', 'boards', 'data', 'fleet', 'identity', 'projects', 'ui'],
  boards: ['data', 'drafts', 'identity', 'projects', 'ui'],
  'boards/trash': ['data', 'identity', 'ui'],
  'boards/tag': ['boards', 'data', 'drafts', 'identity', 'ui'],
  'boards/group': ['boards', 'data', 'ui'],
  'boards/card': ['boards', 'boards/tag', 'boards/trash', 'data', 'drafts', 'identity', 'projects', 'ui'],
  'boards/home': ['boards', 'boards/card', 'data', 'ui'],
  'boards/filter': ['boards', 'data', 'drafts', 'identity', 'projects', 'ui'],
  'boards/table': ['boards', 'boards/card', 'boards/filter', 'drafts', 'projects', 'ui'],
  'boards/calendar': ['boards', 'boards/card', 'boards/filter', 'ui'],
  'boards/several': ['boards', 'boards/card', 'boards/table', 'data', 'projects', 'ui'],
  'boards/found': [
    'boards',
    'boards/calendar',
    'boards/card',
    'boards/filter',
    'boards/several',
    'boards/table',
    'data',
    'identity',
    'projects',
    'ui',
  ],
  'boards/my-cards': ['boards', 'boards/card', 'boards/filter', 'boards/found', 'data', 'ui'],
  'boards/search': ['boards', 'boards/card', 'boards/filter', 'boards/found', 'data', 'ui'],
  'boards/board': [
    'boards',
    'boards/calendar',
    'boards/card',
    'boards/filter',
    'boards/group',
    'boards/several',
    'boards/table',
    'boards/tag',
    'boards/trash',
    'data',
    'drafts',
    'identity',
    'projects',
    'ui',
  ],
  'templates/rollouts': ['data', 'ui'],
  'templates/trash': ['data', 'ui'],
  'templates/rollouts/rollout': ['data', 'fleet', 'templates/rollouts', 'templates/template', 'ui'],
  'templates/rollouts/plan': ['data', 'fleet/audiences', 'projects', 'templates/rollouts', 'ui'],
  templates: ['boards', 'data', 'drafts', 'projects', 'templates/rollouts', 'ui'],
  'templates/template': [
    'boards',
    'boards/board',
    'boards/card',
    'boards/group',
    'data',
    'drafts',
    'fleet',
    'projects',
    'templates',
    'templates/rollouts',
    'templates/trash',
    'ui',
  ],
  shell: [
    'billing',
    'boards',
    'boards/board',
    'data',
    'drafts',
    'identity',
    'identity/account',
    'operator-routes.ts',
    'projects',
    'routes.ts',
    'tour',
    'ui',
  ],
}

const importsOf = async (file: string): Promise<string[]> =>
  namesIn(await readFile(path.join(root, file), 'utf8'), file)

/** The modules of this project that the source of a file imports or exports from, by their paths. */
function namesIn(source: string, file: string): string[] {
  const names = [...source.matchAll(/(?:\bfrom|\bimport) ?\(?\s*['"`]([#.][^'"`]+)['"`]/g)].map(
    (match) => match[1] as string,
  )
  return names.map((name) =>
    name.startsWith('#') ? name.slice(1) : path.relative(root, path.resolve(root, path.dirname(file), name)),
  )
}

/** Folders of programs that nothing imports. */
const programs = ['bench', 'tests', 'tools', 'web']

test('every folder is in the list', async () => {
  const folders = new Set<string>()
  for await (const file of glob('*/**/*.ts', { cwd: root, exclude: ['node_modules'] }))
    folders.add(file.split('/')[0] as string)
  const listed = [...programs, ...Object.keys(allowed).filter((part) => !part.endsWith('.ts'))]
  assert.deepEqual([...folders].sort(), listed.sort())
})

test('imports go one way', async () => {
  const wrong: string[] = []
  const isTest = (file: string) => /\.(test|typecheck)\.ts$/.test(file)
  for (const [part, others] of Object.entries(allowed)) {
    const pattern = part.endsWith('.ts') ? part : `${part}/**/*.ts`
    for await (const file of glob(pattern, { cwd: root }))
      for (const name of isTest(file) ? [] : await importsOf(file)) {
        const target = name.split('/')[0] as string
        if (target !== part && !others.includes(target) && !others.includes(name))
          wrong.push(`${file} imports ${name}`)
      }
  }
  assert.deepEqual(wrong, [])
})

/** The rooms that can reach each other both ways, in groups. */
function cyclesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reached = new Map([...arrows.keys()].map((room) => [room, new Set<string>()]))
  for (const [room, seen] of reached) {
    const open = [room]
    for (let next = open.pop(); next !== undefined; next = open.pop())
      for (const target of arrows.get(next) ?? [])
        if (!seen.has(target)) {
          seen.add(target)
          open.push(target)
        }
  }
  const groups = [...reached].map(([room, seen]) =>
    [...seen].filter((other) => seen.has(room) && reached.get(other)?.has(room)).sort(),
  )
  return [...new Set(groups.filter(({ length }) => length > 0).map((group) => group.join(' ↔ ')))]
}

/** The arrows between rooms; a file that may be imported stands for its room, and a room that may import itself is none. */
const arrowsBetween = (list: Record<string, string[]>, roomOf: (part: string) => string) =>
  Object.entries(list).reduce((arrows, [part, others]) => {
    const room = roomOf(part)
    const targets = others.map(roomOf).filter((target) => target !== room)
    return arrows.set(room, new Set([...(arrows.get(room) ?? []), ...targets]))
  }, new Map<string, Set<string>>())

test('the rooms of the service import each other in no circle', () => {
  const roomOf = (part: string) => part.split('/')[0] as string
  assert.deepEqual(cyclesIn(arrowsBetween(allowed, roomOf)), [])
})

test('the rooms and the nouns of the web app import each other in no circle', () => {
  assert.deepEqual(cyclesIn(arrowsBetween(allowedInWeb, (part) => part)), [])
  const nounOf = (part: string) => part.split('/')[0] as string
  assert.deepEqual(cyclesIn(arrowsBetween(allowedInWeb, nounOf)), [])
})

test('operations hold no statements; these are in the rooms', async () => {
  const found: string[] = []
  for await (const file of glob('api/{services,v1}/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }))
    if (
      /\bsql(<[^`]*>)?`|\.run(<|\()|\bselect\b[^']+\bfrom\b/.test(
        await readFile(path.join(root, file), 'utf8'),
      )
    )
      found.push(file)
  assert.deepEqual(found, [])
})

test('imports of the web app go one way', async () => {
  const wrong: string[] = []
  const parts = Object.keys(allowedInWeb).sort((a, b) => b.length - a.length)
  const partOf = (file: string) => parts.find((part) => file.startsWith(`${part}/`)) ?? file
  for await (const file of glob('web/**/*.{ts,tsx}', { cwd: root })) {
    const part = partOf(path.relative('web', file))
    const others = allowedInWeb[part]
    if (file.endsWith('.test.ts')) continue
    // Beside the rooms there are the app, its routes and what builds it.
    if (!part.includes('/') && others === undefined) continue
    if (others === undefined) wrong.push(`${file} is in no room`)
    for (const name of await importsOf(file)) {
      const target = partOf(path.relative('web', name))
      if (target === 'words') continue
      if (name.startsWith('web/') && target !== part && !others?.includes(target))
        wrong.push(`${file} imports ${name}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('contract/ uses none of the product words', async () => {
  const wrong: string[] = []
  for await (const file of glob('contract/*.ts', { cwd: root })) {
    const source = /\.(test|typecheck)\.ts$/.test(file) ? '' : await readFile(path.join(root, file), 'utf8')
    for (const [word] of source.matchAll(
      /cardinal|project|superadmin|board|\bcards?\b|rollout|tenant|cookie|signed.in/gi,
    ))
      wrong.push(`${file} says ${word}`)
  }
  assert.deepEqual(wrong, [])
})

test('the web app imports only types, the client and the shared modules of the service', async () => {
  const wrong: string[] = []
  let seen = 0
  for await (const file of glob('web/**/*.{ts,tsx}', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue
    const source = await readFile(path.join(root, file), 'utf8')
    // What is imported or exported only as a type is erased.
    const values = source.replaceAll(/^(import|export) type [^']*'[^']+'/gm, '')
    for (const name of namesIn(values, file)) {
      if (name.startsWith('web/')) continue
      seen++
      if (!shared.includes(name)) wrong.push(`${file} imports ${name}`)
    }
  }
  assert.ok(seen > 0)
  assert.deepEqual(wrong, [])
})

/** Where the web app looks for elements by itself, and why that reaches no component. */
const looksForElements = {
  'web/boards/board/column.tsx': 'whether its own board is under the pointer',
  'web/boards/card/card-menu.tsx':
    'the card of the row under the pointer or with the focus, in what it is wrapped around',
  'web/boards/table/elements.ts': 'the cell of its own rows that is pressed or takes the focus',
  'web/main.tsx': 'the element that the app is drawn in',
  'web/ui/keep-focus.ts': 'focus belongs to the whole document',
  'web/ui/editor-text.ts': 'lines of the text that is being edited',
  'web/ui/pasted.ts': 'what is around an element of the pasted text',
  'web/ui/editor-table.ts': 'cells of the table that is being edited',
  'web/ui/markdown-typing.ts': 'blocks of the text that is being edited',
  'web/ui/touch.ts': 'the card under a finger, and where a drag would drop it',
  'web/ui/tooltip.tsx': 'the element under the pointer that has a tip',
}

test('no component of the web app reaches another through the document', async () => {
  const found = new Set<string>()
  for await (const file of glob('web/**/*.{ts,tsx}', { cwd: root, exclude: ['web/dist', '**/*.test.ts'] })) {
    const source = await readFile(path.join(root, file), 'utf8')
    if (/querySelector|getElementById|getElementsBy|elements?FromPoint|\.closest\b/.test(source))
      found.add(file)
  }
  assert.deepEqual([...found].sort(), Object.keys(looksForElements).sort())
})

const judgesSentences =
  /\bmessage\b\)? *(===|!==|\.(includes|startsWith|endsWith|match|search)\b)|\.test\([^)]*\bmessage\b/

test('the web app decides by codes and never by sentences of the service', async () => {
  const found: string[] = []
  for await (const file of glob('web/**/*.{ts,tsx}', { cwd: root, exclude: ['web/dist', '**/*.test.ts'] }))
    if (judgesSentences.test(await readFile(path.join(root, file), 'utf8'))) found.push(file)
  assert.deepEqual(found, [])
  for (const form of ["failure.message === 'Forbidden'", 'failureOf(error).message.includes("x")'])
    assert.match(form, judgesSentences)
})

test('modules shared by service and web app are pure: they import only types and each other', async () => {
  const wrong: string[] = []
  for (const file of shared) {
    const source = await readFile(path.join(root, file), 'utf8')
    const values = source.replaceAll(/^import type .*$/gm, '')
    for (const name of values.match(/(?:from|import\() ?'[^']+'/g) ?? []) {
      const target = path.join(path.dirname(file), name.split("'")[1] as string)
      if (!shared.includes(target)) wrong.push(`${file} imports ${target}`)
    }
    for (const [word] of values.matchAll(/\b(process|Buffer|document|window|navigator)\b/g))
      wrong.push(`${file} uses ${word}`)
  }
  assert.deepEqual(wrong, [])
})

test('at most five casts go around the types, each with its reason beside it', async () => {
  const found: string[] = []
  const withoutReason: string[] = []
  const exclude = ['node_modules', 'web/dist', '{bench,tests,tools}/**', '**/*.{test,typecheck}.ts']
  for await (const file of glob('**/*.{ts,tsx}', { cwd: root, exclude })) {
    const lines = (await readFile(path.join(root, file), 'utf8')).split('\n')
    for (const [index, line] of lines.entries())
      if (/\bas (never|any|unknown as)\b/.test(line.replace(/^\s*(\/\/|\/?\*).*/, ''))) {
        found.push(file)
        if (!/^\s*\/\/ /.test(lines[index - 1] ?? '')) withoutReason.push(`${file}:${index + 1}`)
      }
  }
  assert.deepEqual(withoutReason, [])
  assert.ok(found.length <= 5, found.join(', '))
})

test('tests with randomness print their seed', async () => {
  const wrong: string[] = []
  for await (const file of glob('**/*.test.ts', { cwd: root, exclude: ['node_modules'] })) {
    const source = await readFile(path.join(root, file), 'utf8')
    if (/from 'fast-check'|\brandom\(\)|randomInt\(/.test(source)) wrong.push(file)
  }
  // This file names them.
  assert.deepEqual(wrong, ['tests/imports.test.ts'])
})
