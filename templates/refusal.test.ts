import assert from 'node:assert/strict'
import test from 'node:test'
import { english, say } from '#contract/speech.ts'
import { withTestDatabase } from '#tests/postgres.ts'
import { isRefusal, reasonOf, reasonSentence } from './refusal.ts'

const reasons: Record<string, RegExp> = {
  '22001': /^A text of the template is too long for this project. Shorten it, then retry. /,
  '22003': /^A value of the template does not fit into this project. Change it in the template, then retry. /,
  '23503': /^Something that the template builds on was deleted in this project at the same moment. Retry. /,
  '23505': /^This project already has something in the place of what the template brings. Retry. /,
  '23514':
    /^A rule of this project forbids what the template brings. Change the template or the rule, then retry. /,
  '57014': /^It took too long in this project. Retry when less is going on. /,
  P0001: /^Something in this project does not allow the change. See the details, then retry. /,
}

test('a refusal is told by its cause and what to do, with the details last', () =>
  withTestDatabase(async ({ sql }) => {
    const raised = (code: string) =>
      sql
        .unsafe(`do $$ begin raise exception 'as PostgreSQL says' using errcode = '${code}'; end $$`)
        .catch((error) => error)
    for (const [code, reason] of Object.entries(reasons)) {
      const error = await raised(code)
      assert.ok(isRefusal(error), code)
      const said = say(english, reasonSentence(reasonOf(error)))
      assert.match(said, reason)
      assert.match(said, / Details: as PostgreSQL says$/)
    }
    for (const code of ['40001', '40P01', '55P03', '53300', '08006'])
      assert.ok(!isRefusal(await raised(code)))
  }))
