// Every language says everything that the service says, and nothing else. What is said comes from the declarations.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { operations } from '#api/registry.ts'
import { lastOwnerOf } from '#api/services/identity/v1/users/close.ts'
import { endedEarlySentences, failedSentence } from '#api/services/operations/v1/admin/rollouts/rollout.ts'
import { warnings } from '#api/v1/authenticate.ts'
import { fieldCodesOf } from '#contract/codes.ts'
import { type Failures, keyFailures, moreErrors, usual } from '#contract/failure.ts'
import { rules } from '#contract/validate.ts'
import { findings } from '#events/finding.ts'
import { weakSentences } from '#identity/weak-sentences.ts'
import { quotaSentences } from '#quotas/quotas.ts'
import { fullSentences, refusalSentences } from '#rollouts/refusal.ts'
import { noStreamsLeft, openStreams } from '#routes/event-stream.ts'
import { app } from './de.ts'
import { languages } from './known.ts'
import type { Translation } from './speech.ts'

const sentencesIn = ({ 422: fields = {}, ...others }: Failures): string[] =>
  [...Object.values(others), ...Object.values(fields)].flatMap((codes) => Object.values(codes ?? {}))

const said = new Set([
  ...operations.map(({ message }) => message),
  ...operations.flatMap(({ failures, beforehand }) => [failures, beforehand].flatMap(sentencesIn)),
  ...[usual, keyFailures].flatMap(sentencesIn),
  ...[
    ...[rules, moreErrors, warnings, quotaSentences, endedEarlySentences, findings, refusalSentences],
    ...[weakSentences, fullSentences],
  ].flatMap((all) => Object.values(all)),
  failedSentence,
  lastOwnerOf,
  noStreamsLeft,
  openStreams,
])

const fields = new Set(
  operations
    .flatMap((operation) => Object.keys(fieldCodesOf(operation)))
    .filter((name) => !name.includes('.')),
)

/** The sources of pages, mails and the cards of campaigns, whose texts are typed: a text that no language has does not compile. */
const root = path.join(import.meta.dirname, '..')
let sources = ''
for await (const file of glob('{routes,mail,themes/campaign}/**/*.ts', {
  cwd: root,
  exclude: ['**/*.test.ts'],
}))
  sources += await readFile(path.join(root, file), 'utf8')
const isWritten = (text: string) => sources.includes(`'${text}'`) || sources.includes(`"${text}"`)

const placeholders = (text: string) => [...text.matchAll(/:[a-z]+/g)].map(([name]) => name).sort()

for (const language of languages.filter((one) => one !== 'en')) {
  const { sentences, labels }: Translation = await import(`./${language}.ts`)
  const translated = Object.keys(sentences)

  test(`${language} has every sentence of the service and no other`, () => {
    assert.deepEqual(
      [...said].filter((text) => !Object.hasOwn(sentences, text)),
      [],
    )
    assert.deepEqual(
      translated.filter((text) => !said.has(text) && !isWritten(text)),
      [],
    )
  })

  test(`${language} has every input field and no other`, () => {
    assert.deepEqual(Object.keys(labels).sort(), [...fields].sort())
  })

  test(`${language} has the placeholders of each sentence`, () => {
    for (const [text, translation] of Object.entries(sentences))
      assert.deepEqual(placeholders(translation), placeholders(text), text)
  })

  test(`${language} ends a sentence as it ends in English`, () => {
    for (const [text, translation] of Object.entries(sentences))
      assert.equal(translation.endsWith('.'), text.endsWith('.'), text)
  })
}

test('de has German quotation marks and addresses nobody', async () => {
  const { sentences, labels }: Translation = await import('./de.ts')
  for (const text of [...Object.values(sentences), ...Object.values(labels)]) {
    assert.equal(text.match(/„/g)?.length, text.match(/“/g)?.length, text)
    assert.doesNotMatch(text, /["”'!]|\b([Dd]u|[Dd]ein\w*|[Dd]ich|[Dd]ir|Sie|Ihr\w*|[Bb]itte)\b/, text)
  }
})

test('de says Verteilung in the app, and no period follows a time such as "vor 5 Min."', () => {
  for (const text of Object.values(app).flatMap((said) =>
    typeof said === 'string' ? said : Object.values(said),
  )) {
    assert.doesNotMatch(text, /\bRollouts?\b/, text)
    assert.doesNotMatch(text, /\{(ago|activity)\}\./, text)
  }
})
