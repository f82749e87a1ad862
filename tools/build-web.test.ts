import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { promisify } from 'node:util'
import { firstScriptBytes, mostFirstScriptBytes } from './first-scripts.ts'

const root = path.join(import.meta.dirname, '..')
const built = path.join(root, 'web/dist/en')

test('a finished build is not repeated', async () => {
  const before = await stat(path.join(built, 'index.html'))
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(root, 'tools/build-web.ts')])
  assert.equal(stdout, '')
  assert.equal((await stat(path.join(built, 'index.html'))).mtimeMs, before.mtimeMs)
})

test('the page and everything it names is there, and compressed', async () => {
  const page = await readFile(path.join(built, 'index.html'), 'utf8')
  const names = [...page.matchAll(/ (?:href|src)="\/([^"]+)"/g)].map((match) => match[1] as string)
  // Few, because each of them is a request before the first text.
  assert.deepEqual(names.map((name) => path.extname(name)).sort(), ['.css', '.js', '.svg'])
  for (const name of names) assert.ok((await stat(path.join(built, name))).size > 0, name)
  for (const name of names.filter((one) => /\.(js|css)$/.test(one))) {
    const { size } = await stat(path.join(built, name))
    assert.ok((await stat(path.join(built, `${name}.br`))).size <= size + 20, name)
  }
})

test('sign-in and a board need little JavaScript in every language', async () => {
  const bytes = await firstScriptBytes()
  assert.ok(bytes <= mostFirstScriptBytes, `${bytes} bytes`)
})
