import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { seldom } from '#tests/drawn.ts'

const root = path.join(import.meta.dirname, '..')
const run = async (...args: string[]) => (await promisify(execFile)(process.execPath, args)).stdout

seldom(
  'a build is repeated when a source has changed, and never otherwise; parts of the one before stay',
  async (t) => {
    const { files } = JSON.parse(await readFile(path.join(root, 'dist/sources.json'), 'utf8'))
    const copy = await mkdtemp(path.join(tmpdir(), 'cardinal-build-test-'))
    t.after(() => rm(copy, { recursive: true }))
    for (const file of [...files, 'package.json', 'cli/cardinal.mjs'])
      await cp(path.join(root, file), path.join(copy, file))
    await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
    const build = () => run(path.join(copy, 'tools/build-service.ts'))
    const parts = async () => (await readdir(path.join(copy, 'dist'))).sort()
    const help = () => run(path.join(copy, 'cli/cardinal.mjs'), 'serve', '--help')

    assert.equal(await build(), 'Building the service …\n')
    const first = await parts()
    assert.equal(await build(), '')
    assert.match(await help(), /start the service/)

    const edit = async (file: string, from: string, to: string) => {
      const text = await readFile(path.join(copy, file), 'utf8')
      assert.ok(text.includes(from))
      await writeFile(path.join(copy, file), text.replace(from, to))
      assert.equal(await build(), 'Building the service …\n')
    }
    await edit('cli/program.ts', 'start the service', 'begin to serve')
    assert.match(await help(), /begin to serve/)
    await edit('service.ts', 'import ', "console.log('begins')\nimport ")
    const second = await parts()
    assert.notDeepEqual(second, first)
    assert.deepEqual(
      first.filter((name) => !second.includes(name)),
      [],
    )
    await edit('service.ts', "console.log('begins')", "console.log('began')")
    assert.equal((await parts()).length, second.length)
  },
)
