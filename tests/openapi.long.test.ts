// The slower of two linters reads the OpenAPI document; registry.test.ts has the other.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'

const source = await readFile(new URL('../docs/openapi.json', import.meta.url), 'utf8')

test('the OpenAPI document passes Spectral', async () => {
  const spectral = new spectralCore.Spectral()
  spectral.setRuleset(spectralRulesets.oas as RulesetDefinition)
  const problems = await spectral.run(source)
  assert.deepEqual(
    problems.map(({ code, message, path }) => `${code}: ${message} at ${path.join('/')}`),
    [],
  )
})
