// Keeps words out of all that people read for which another one is used everywhere: the interface, mails, the command line, and the
// service's own messages; code, paths and keys may use them.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'

const root = path.join(import.meta.dirname, '..')

/** The words that people read instead, by the forbidden ones. */
const better: [RegExp, string][] = [
  [/\b(push(es|ed|ing)?|sync(s|ed|ing)?)\b/i, 'rollout'],
  [/\bmasters?\b/i, 'template'],
  [/\brevisions?\b/i, 'version'],
  [/\bdrift\b/i, 'customized'],
  [/\b(tak(e|es|en|ing)|took) back\b/i, 'revert'],
  [/\b(nobody|somebody|anybody|everybody|whoever)\b/i, 'someone, Unassigned'],
  [/^Owner$/, 'Assignee'],
  [/\btools?\b/i, 'product'],
  [/\bsecond factor\b/i, 'two-factor authentication'],
  [/\bsnoozed until\b/i, 'Snooze'],
  [/^Closed$/, 'Done'],
  [/\b(colours?|grey|centre|catalogue)\b/i, 'American spelling'],
  [/\b(anew|meanwhile|told|go(es)? on)\b/i, 'a plainer word'],
  [/\be-mails?\b/i, 'email'],
  [/\bplease\b|[a-z]!/i, 'a plain sentence'],
]

/** Phrases that make a comment, a page of the documentation or a text that people read hard to understand. */
const riddles =
  /\bwho(m|se)?ever\b|\bthose that\b|\banew\b|\b(what|that|which|who|or|it) (is|are|was) none\b/i

/** Literals and JSX texts that begin with a capital letter: everything that people read begins with one, and hardly any code does. */
function textsOf(source: string): string[] {
  const code = source
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/?\*|\{\/\*|import\b)/.test(line))
    .join('\n')
    .replaceAll(/\$\{[^{}]*\}/g, '…')
    // Paths of operations.
    .replaceAll(/\b[a-z-]+\/[a-z-]+(?:\/[a-z-]+)*/g, '…')
  const literals = code.matchAll(/(['"`])([A-Z“](?:(?!\1)[^\n])*)\1/g)
  const described = code.matchAll(/\.(?:description|option)\((?:'[^']*', )?'([^']+)'/g)
  const texts = code.matchAll(/(?:>|\}|^)\s*([A-Z“][^<>{}=;()]*?)\s*(?:<|\{|$)/gm)
  return [
    ...[...literals].map((match) => match[2] ?? ''),
    ...[...texts, ...described].map((match) => match[1] ?? ''),
  ]
}

test('all that people read uses one word for one thing', async () => {
  const found: string[] = []
  const counts = { web: 0, api: 0, others: 0 }
  const exclude = [
    'node_modules',
    'web/dist',
    '{bench,demo,tests,tools}/**',
    'languages/de.ts',
    '**/*.test.ts',
  ]
  for await (const file of glob('**/*.{ts,tsx}', { cwd: root, exclude })) {
    const part = file.split('/')[0]
    for (const text of textsOf(await readFile(path.join(root, file), 'utf8'))) {
      counts[part === 'web' || part === 'api' ? part : 'others']++
      for (const [word, other] of better)
        if (word.test(text)) found.push(`${file}: “${text}” (say: ${other})`)
      if (riddles.test(text)) found.push(`${file}: “${text}” (say it plainly)`)
    }
  }
  assert.deepEqual(found, [])
  assert.ok(counts.web > 500 && counts.api > 300 && counts.others > 300, JSON.stringify(counts))
})

test('comments and documentation say things in a way that is understood at once', async () => {
  const found: string[] = []
  const exclude = ['node_modules', 'web/dist', '**/*.test.ts', 'database/migrations', 'languages/de.ts']
  let seen = 0
  for await (const file of glob(['**/*.{ts,tsx,css}', '{.,docs}/*.md'], { cwd: root, exclude })) {
    const lines = (await readFile(path.join(root, file), 'utf8')).split('\n')
    const read = file.endsWith('.md') ? lines : lines.filter((line) => /^\s*(\/\/|\/?\*)/.test(line))
    seen += read.length
    for (const line of read) if (riddles.test(line)) found.push(`${file}: ${line.trim()}`)
  }
  assert.deepEqual(found, [])
  assert.ok(seen > 5000, String(seen))
})
