import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { StartFailure } from '#start-failure.ts'
import { networkDatabase, run, temporaryDirectory } from '#tests/process.ts'
import { catalogueOf, featureIn, formatPrice, loadCatalogue } from './catalogue.ts'

const directory = await temporaryDirectory()

async function load(content: unknown) {
  const file = path.join(directory, 'catalogue.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return loadCatalogue(file).catch((error) => {
    assert.ok(error instanceof StartFailure, String(error))
    return error.message.replace(`The catalog ${file} `, '')
  })
}

const starter = { name: 'Starter', month: 100, year: 1000 }
const good = {
  currency: 'eur',
  trial_days: 7,
  products: { website: { name: 'Website', plans: { starter } } },
}
const withPlan = (plan: unknown) => ({
  ...good,
  products: { website: { name: 'Website', plans: { starter: plan } } },
})

test('the catalogue that comes with Cardinal has website and shop, each with starter, pro and business', async () => {
  const { currency, products } = await loadCatalogue()
  assert.equal(currency, 'eur')
  assert.deepEqual(
    products.map(({ key, plans }) => [key, ...plans.map((plan) => plan.key)]),
    [
      ['website', 'starter', 'pro', 'business'],
      ['shop', 'starter', 'pro', 'business'],
    ],
  )
})

test('a custom catalogue is read', async () => {
  assert.deepEqual(await load(good), {
    currency: 'eur',
    trialDays: 7,
    products: [
      {
        key: 'website',
        name: 'Website',
        plans: [{ key: 'starter', name: 'Starter', prices: { month: 100, year: 1000 } }],
      },
    ],
  })
})

test('a plan says what it contains, in one language or in several', async () => {
  const features = ['Ten pages', { en: 'Support', de: 'Hilfe' }, { fr: 'Aide' }]
  const catalogue = await load(withPlan({ ...starter, features }))
  assert.ok(typeof catalogue === 'object')
  const read = catalogue.products[0]?.plans[0]?.features ?? []
  const said = (language: string) => read.map((feature) => featureIn(feature, language))
  assert.deepEqual(said('en'), ['Ten pages', 'Support', 'Aide'])
  assert.deepEqual(said('de'), ['Ten pages', 'Hilfe', 'Aide'])
})

test('a platform can have a catalogue of its own; all others have the usual one', async () => {
  const own = { ...good, currency: 'sek', trial_days: 30 }
  const catalogue = await load({ ...good, platforms: { 2: own } })
  assert.ok(typeof catalogue === 'object')
  const found = [null, 1, 2].map((id) => catalogueOf(catalogue, id))
  assert.deepEqual(
    found.map(({ currency, trialDays }) => [currency, trialDays]),
    [
      ['eur', 7],
      ['eur', 7],
      ['sek', 30],
    ],
  )
})

const mistakes: [unknown, RegExp][] = [
  [{ ...good, platforms: [] }, /^is wrong: platforms must be an object\.$/],
  [
    { ...good, platforms: { Nordwind: good } },
    /^is wrong: platforms has the key "Nordwind"; keys are the ids of platforms\.$/,
  ],
  [{ ...good, platforms: { 2: null } }, /^is wrong: platforms\.2 must be an object\.$/],
  [{ ...good, platforms: { 2: { ...good, currency: '' } } }, /^is wrong: platforms\.2\.currency must be /],
  [
    { ...good, platforms: { 2: { ...good, products: { website: { name: 'W', plans: {} } } } } },
    /^is wrong: platforms\.2\.products\.website\.plans must not be empty\.$/,
  ],
  ['{', /^is wrong: .*JSON/],
  [[], /^is wrong: it must be an object\.$/],
  [
    { ...good, currency: 'EUR' },
    /^is wrong: currency must be an ISO 4217 code in lower case, such as "eur"\.$/,
  ],
  [{ ...good, currency: 'xyzw' }, /^is wrong: currency /],
  [{ ...good, trial_days: 0 }, /^is wrong: trial_days must be a whole number from 1 to 365\.$/],
  [{ ...good, products: {} }, /^is wrong: products must not be empty\.$/],
  [{ ...good, products: { 'Web Site': {} } }, /^is wrong: products has the key "Web Site"; keys are /],
  [
    { ...good, products: { website: { name: 'W', plans: {} } } },
    /^is wrong: products\.website\.plans must not be empty\.$/,
  ],
  [
    { ...good, products: { website: { plans: { starter } } } },
    /^is wrong: products\.website\.name must be a text /,
  ],
  [
    withPlan({ ...starter, month: 0 }),
    /^is wrong: products\.website\.plans\.starter\.month must be a whole number from 1 to/,
  ],
  [
    withPlan({ ...starter, year: '1000' }),
    /^is wrong: products\.website\.plans\.starter\.year must be a whole number from 1 to/,
  ],
  [withPlan({ ...starter, month: 1.5 }), /starter\.month must be a whole number/],
  [
    withPlan({ ...starter, features: 'Ten pages' }),
    /starter\.features must be a list of at most 20 texts\.$/,
  ],
  [
    withPlan({ ...starter, features: Array(21).fill('x') }),
    /starter\.features must be a list of at most 20 texts\.$/,
  ],
  [withPlan({ ...starter, features: ['x', ''] }), /starter\.features\[1\] must be a text of 1 to 100/],
  [withPlan({ ...starter, features: [{}] }), /starter\.features\[0\] must not be empty\.$/],
  [withPlan({ ...starter, features: [{ de: 1 }] }), /starter\.features\[0\]\.de must be a text /],
  [withPlan(null), /^is wrong: products\.website\.plans\.starter must be an object\.$/],
]

for (const [content, sentence] of mistakes)
  test(`a mistake is reported: ${sentence.source.slice(0, 80)}`, async () => {
    assert.match(String(await load(content)), sentence)
  })

test('a bad catalogue stops the start with one sentence', async () => {
  const missing = path.join(directory, 'none.json')
  // Where every user may look, so that the service does not stay root because of it.
  await chmod(directory, 0o755)
  const { url } = await networkDatabase()
  const refused = await run(['serve'], { DATABASE_URL: url, CARDINAL_CATALOGUE: missing, PORT: '0' })
  assert.deepEqual(refused, {
    code: 1,
    stdout: '',
    stderr: `The catalog ${missing} cannot be read (ENOENT); check CARDINAL_CATALOGUE.\n`,
  })
})

test('prices are written with the digits that the currency has', () => {
  assert.equal(formatPrice(4900, 'eur', 'en'), '€49')
  assert.equal(formatPrice(4950, 'eur', 'en'), '€49.50')
  assert.equal(formatPrice(4900, 'jpy', 'en'), '¥4,900')
  assert.equal(formatPrice(123_450, 'eur', 'de'), '1.234,50\u00a0€')
})
