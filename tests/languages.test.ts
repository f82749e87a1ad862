// Every text of the web app can be said in every language.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { parseSync } from 'vite'
import { languages } from '#languages/known.ts'
import type { Forms } from '#languages/texts.ts'
import { textsOf } from '../tools/build-web.ts'
import { type Found, textOfPage, textsIn, translated, visit } from '../tools/translate.ts'

const root = path.join(import.meta.dirname, '..')

const sources = new Map<string, string>()
for await (const file of glob('web/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['web/dist', 'web/words', '**/*.test.ts'],
}))
  sources.set(file, await readFile(path.join(root, file), 'utf8'))

const page = textOfPage(await readFile(path.join(root, 'web/index.html'), 'utf8'))
const texts: Pick<Found, 'key' | 'english'>[] = [
  { key: page, english: page },
  ...[...sources].flatMap(([file, source]) => textsIn(file, source)),
]
const keys = new Set(texts.map(({ key }) => key))

/** Attributes that people read or hear. */
const read =
  /^(label|title|heading|alt|placeholder|action|name|hint|aria-(label|description|roledescription|valuetext))$/

test('no text of the web app is written where no language can replace it', () => {
  const found: string[] = []
  for (const [file, source] of sources)
    visit(parseSync(file, source).program, (node) => {
      const isText = node.type === 'JSXText' && /\p{L}/u.test(node.value)
      const isRead =
        node.type === 'JSXAttribute' &&
        node.name.type === 'JSXIdentifier' &&
        read.test(node.name.name) &&
        node.value?.type === 'Literal' &&
        /^\p{Lu}| /u.test(String(node.value.value))
      if (isText || isRead) found.push(`${file}: ${source.slice(node.start, node.end).trim()}`)
    })
  assert.deepEqual(found, [])
})

for (const language of languages.filter((one) => one !== 'en'))
  test(`every text of the web app is said in ${language}, with the same names and tags, and nothing else is`, async () => {
    const said = await textsOf(language)
    assert.deepEqual(
      [...keys].filter((key) => said[key] === undefined),
      [],
      'missing',
    )
    assert.deepEqual(
      Object.keys(said).filter((key) => !keys.has(key)),
      [],
      'left over',
    )
    const wrong = texts.filter(({ key, english }) => {
      const forms = Object.values(formsOf(said[key] as string | Forms))
      const wanted = partsOf(formsOf(english).other)
      return typeof english !== typeof said[key] || forms.some((form) => partsOf(form) !== wanted)
    })
    assert.deepEqual(
      wrong.map(({ key }) => key),
      [],
    )
  })

const formsOf = (text: string | Forms): Forms => (typeof text === 'string' ? { other: text } : text)

const partsOf = (text: string) => (text.match(/\{\w+\}|<\/?\w+>/g) ?? []).toSorted().join(' ')

test('a build says the texts of its language and keeps what it does not have', () => {
  const source = `a(t('Open', { as: 'state' }), t('Move {title}', { title: t('Open') }), counted(n, { one: '{count} card', other: '{count} cards' }), rich('See <a>it</a>', { a }))`
  const said = {
    'Open [state]': 'Offen',
    Open: 'Öffnen',
    'Move {title}': '{title} bewegen',
    '{count} cards': { one: '{count} Karte', other: '{count} Karten' },
  }
  assert.equal(
    translated('a.tsx', source, said),
    `a("Offen", t("{title} bewegen", { title: "Öffnen" }), counted(n, {"one":"{count} Karte","other":"{count} Karten"}), rich("See <a>it</a>", { a }))`,
  )
})

test('a text that is put together is refused, because it could not be said in another language', () => {
  for (const source of ['t(`a`)', "t(a ? 'b' : 'c')", "counted(1, { one: a, other: 'b' })", 'rich(a, {})'])
    assert.throws(() => textsIn('a.ts', source), /must be a literal/, source)
})
