import assert from 'node:assert/strict'
import test from 'node:test'
import { english, say } from '#contract/speech.ts'
import type { Quota } from '#quotas/quotas.ts'
import { withTestDatabase } from '#tests/postgres.ts'
import { fullSentences, isRefusal, reasonOf, reasonSentence, technicalDetails } from './refusal.ts'

const reasons: Record<string, string> = {
  '22001': 'A text in the template is too long for this project. Shorten it, then retry.',
  '22003': "A value in the template isn't accepted in this project. Change it in the template, then retry.",
  '23503': 'Something that the template needs was deleted in this project during the rollout. Retry.',
  '23505': 'Another change in this project took the place of a card or group of the template. Retry.',
  '23514':
    'A rule in the database forbids the change in this project. Show the technical details to the people who run the server, then retry.',
  '57014': 'This project was too busy to be updated in time. Retry later.',
  P0001:
    'The database rejected the change in this project. Show the technical details to the people who run the server, then retry.',
}

test('an operator reads whom to ask for room, because they cannot make any themselves', () => {
  const said = (quota: Quota) => say(english, reasonSentence({ quota, most: 200 }))
  assert.equal(
    said('boardsPerProject'),
    'This project has 200 boards, as many as a project can have. Ask its members to delete one, or raise the limit, then retry.',
  )
  for (const quota of Object.keys(fullSentences) as Quota[])
    assert.match(said(quota), /Ask its members .* then retry\.$/)
})

test('a refusal is told by its cause and what to do; what PostgreSQL says is kept apart', () =>
  withTestDatabase(async ({ sql }) => {
    const raised = (code: string) =>
      sql
        .unsafe(`do $$ begin raise exception 'as PostgreSQL says' using errcode = '${code}'; end $$`)
        .catch((error) => error)
    for (const [code, reason] of Object.entries(reasons)) {
      const error = await raised(code)
      assert.ok(isRefusal(error), code)
      assert.equal(say(english, reasonSentence(reasonOf(error))), reason)
      assert.equal(technicalDetails(reasonOf(error)), 'as PostgreSQL says')
    }
    for (const code of ['40001', '40P01', '55P03', '53300', '08006'])
      assert.ok(!isRefusal(await raised(code)))
  }))
