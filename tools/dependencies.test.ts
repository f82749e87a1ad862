import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { type Lock, problemsOf } from './dependencies.ts'

const lock: Lock = JSON.parse(await readFile(new URL('../package-lock.json', import.meta.url), 'utf8'))

test('all packages have an allowed license, come from the registry with a checksum, and are not known to be bad', () => {
  assert.ok(Object.keys(lock.packages).length > 100)
  assert.deepEqual(problemsOf(lock), [])
})

const fine = {
  version: '1.0.0',
  license: 'MIT',
  resolved: 'https://registry.npmjs.org/x/-/x-1.0.0.tgz',
  integrity: 'sha512-x',
}

const spoilt = {
  'a license that is not on the list': {
    package: { 'node_modules/x': { ...fine, license: 'GPL-3.0-only' } },
    problem: 'x@1.0.0 has the license "GPL-3.0-only", which is not on the list',
  },
  'no license': {
    package: { 'node_modules/x': { ...fine, license: undefined } },
    problem: 'x@1.0.0 has the license "", which is not on the list',
  },
  'a license for tools only, in the service': {
    package: { 'node_modules/x': { ...fine, license: 'MPL-2.0' } },
    problem: 'x@1.0.0 has the license "MPL-2.0", which is not on the list',
  },
  'a version that is known to be bad, below another package': {
    package: { 'node_modules/x/node_modules/debug': { ...fine, version: '4.4.2' } },
    problem: 'debug@4.4.2 is known to be bad (CVE-2025-59144); 4.4.3 is not',
  },
  'a version in a range that is known to be bad': {
    package: { 'node_modules/fastify': { ...fine, version: '5.3.1' } },
    problem: 'fastify@5.3.1 is known to be bad (CVE-2025-32442); 5.3.2 is not',
  },
  'another registry': {
    package: { 'node_modules/x': { ...fine, resolved: 'https://registry.example/x-1.0.0.tgz' } },
    problem: 'x@1.0.0 does not come from https://registry.npmjs.org/ with a SHA-512',
  },
  'no checksum': {
    package: { 'node_modules/x': { ...fine, integrity: undefined } },
    problem: 'x@1.0.0 does not come from https://registry.npmjs.org/ with a SHA-512',
  },
}

for (const [situation, { package: added, problem }] of Object.entries(spoilt))
  test(`${situation} is a problem`, () => {
    assert.deepEqual(problemsOf({ packages: added } as Lock), [problem])
  })

test('a choice of licenses, a license for tools in a tool, and the version after a bad one are fine', () => {
  const added = {
    'node_modules/choice': { ...fine, license: '(GPL-2.0-only OR MIT)' },
    'node_modules/tool': { ...fine, license: 'MPL-2.0', dev: true },
    'node_modules/debug': { ...fine, version: '4.4.3' },
  }
  assert.deepEqual(problemsOf({ packages: added }), [])
})

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8')

test('each dependency has a row in docs/dependencies.md', async () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(await read('package.json'))
  const rows = (await read('docs/dependencies.md')).split('\n').filter((line) => line.startsWith('|'))
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const listed = new Set(rows.flatMap((row) => row.split('|')[1]?.match(/(?<=`)[^`, ]+(?=`)/g) ?? []))
  const isListed = (name: string) => listed.has(name) || listed.has(name.replace(/\/.*/, '/*'))
  assert.deepEqual(
    names.filter((name) => !isListed(name)),
    [],
  )
})

test('the version is that of the newest release in the CHANGELOG', async () => {
  const { version } = JSON.parse(await read('package.json'))
  const { packages } = JSON.parse(await read('package-lock.json'))
  const [, newest] = /^## (\d+\.\d+\.\d+) – \d{4}-\d{2}-\d{2}$/m.exec(await read('CHANGELOG.md')) ?? []
  assert.deepEqual([version, packages[''].version], [newest, newest])
})
