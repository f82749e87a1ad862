import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test, { after, before, type TestContext } from 'node:test'
import { StartFailure } from '../start-failure.ts'
import { claimDirectory } from './owner.ts'

const deadOwner = '1-0-a-boot-long-ago'
let temporary: string

before(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'cardinal-owner-test-'))
})
after(() => rm(temporary, { recursive: true }))

test('a claimed directory is private and refuses a second claim until it is released', async () => {
  const directory = join(temporary, 'missing', 'data')
  const claim = await claimDirectory(directory)
  assert.equal((await stat(directory)).mode & 0o777, 0o700)
  await assert.rejects(
    claimDirectory(directory),
    new StartFailure(`The data directory ${directory} is in use by process ${process.pid}.`),
  )
  await claim.release()
  assert.deepEqual(await readdir(directory), [])
  await (await claimDirectory(directory)).release()
})

test('a directory is refused while its owner lives and taken over once it was killed', async (t) => {
  const directory = join(temporary, 'killed')
  const owner = startScript(
    t,
    `
    await claimDirectory(${JSON.stringify(directory)})
    console.log('claimed')
    setInterval(() => {}, 1000)`,
  )
  await firstLine(owner)
  await assert.rejects(claimDirectory(directory), new RegExp(`in use by process ${owner.pid}\\.$`))
  owner.kill('SIGKILL')
  await once(owner, 'close')
  await (await claimDirectory(directory)).release()
})

test('an owner whose number now belongs to another process is dead', async () => {
  const directory = await directoryOf(`${process.pid}-0-a-boot-long-ago`)
  await (await claimDirectory(directory)).release()
})

test('a take-over that was cut off does not stop the next one', async () => {
  const directory = await directoryOf(deadOwner)
  await symlink(deadOwner, join(directory, 'owner.takeover'))
  await symlink(deadOwner, join(directory, 'owner.takeover.takeover'))
  const claim = await claimDirectory(directory)
  assert.deepEqual(await readdir(directory), ['owner'])
  await claim.release()
})

test('of many processes that take over from a dead owner at the same moment, one wins', async (t) => {
  const directories = await Promise.all(Array.from({ length: 60 }, () => directoryOf(deadOwner)))
  const claimants = Array.from({ length: 4 }, () =>
    startScript(
      t,
      `
      const start = Number(await new Promise((resolve) => process.stdin.once('data', resolve)))
      const wins = []
      for (const [index, directory] of ${JSON.stringify(directories)}.entries()) {
        while (Date.now() < start + index * 10);
        await claimDirectory(directory).then(() => wins.push(index), (error) => {
          if (!error.message.includes('in use by process')) throw error
        })
      }
      console.log(JSON.stringify(wins))
      process.stdin.resume()`,
    ),
  )
  const start = Date.now() + 1_000
  for (const claimant of claimants) claimant.stdin?.write(String(start))
  const wins = await Promise.all(claimants.map(async (claimant) => JSON.parse(await firstLine(claimant))))
  assert.deepEqual(
    wins.flat().sort((left, right) => left - right),
    directories.map((_, index) => index),
  )
})

test('a directory that cannot be made is refused in one sentence', async () => {
  await assert.rejects(
    claimDirectory('/dev/null/data'),
    new StartFailure('The data directory /dev/null/data cannot be used (ENOTDIR).'),
  )
})

async function directoryOf(owner: string): Promise<string> {
  const directory = await mkdtemp(join(temporary, 'owned-'))
  await symlink(owner, join(directory, 'owner'))
  return directory
}

function startScript(t: TestContext, body: string): ChildProcess {
  const script = `import { claimDirectory } from ${JSON.stringify(import.meta.resolve('./owner.ts'))}\n${body}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  return child
}

async function firstLine(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  return line
}
