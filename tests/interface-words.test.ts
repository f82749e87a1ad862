// Keeps words out of the interface and the API's messages for which another one is used everywhere; code, paths and keys may use them.
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
  [/\b(nobody|somebody|anybody|everybody|whoever)\b/i, 'someone, Unassigned'],
  [/^Owner$/, 'Assignee'],
  [/\btools?\b/i, 'product'],
  [/\bsecond factor\b/i, 'two-factor authentication'],
  [/\bsnoozed until\b/i, 'Snooze'],
  [/^Closed$/, 'Done'],
  [/\b(colours?|grey|centre|catalogue)\b/i, 'American spelling'],
  [/\b(anew|meanwhile|told)\b/i, 'a plainer word'],
  [/\be-mails?\b/i, 'email'],
  [/\bplease\b|[a-z]!/i, 'a plain sentence'],
]

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
  const texts = code.matchAll(/(?:>|\}|^)\s*([A-Z“][^<>{}=;()]*?)\s*(?:<|\{|$)/gm)
  return [...literals].map((match) => match[2] ?? '').concat([...texts].map((match) => match[1] ?? ''))
}

test('the interface and the messages of the API use one word for one thing', async () => {
  const found: string[] = []
  const counts = { web: 0, api: 0 }
  for await (const file of glob('{web,api}/**/*.{ts,tsx}', { cwd: root })) {
    if (file.includes('.test.') || file.startsWith('web/dist')) continue
    for (const text of textsOf(await readFile(path.join(root, file), 'utf8'))) {
      counts[file.startsWith('api') ? 'api' : 'web']++
      for (const [word, other] of better)
        if (word.test(text)) found.push(`${file}: “${text}” (say: ${other})`)
    }
  }
  assert.deepEqual(found, [])
  assert.ok(counts.web > 500 && counts.api > 300, JSON.stringify(counts))
})
