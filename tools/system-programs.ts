import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Debian packages with programs that tests need and npm does not bring, by program. */
const packages = { 'redis-server': 'redis-server', chromium: 'chromium' }

/** Installs what is missing where that can be done, and returns what still is. */
export async function installPrograms(): Promise<string[]> {
  const missing = await missingPrograms()
  if (missing.length === 0 || process.getuid?.() !== 0 || !(await isInstalled('apt-get'))) return missing
  console.log(`Installing ${missing.join(', ')} …`)
  const names = missing.map((program) => packages[program])
  // Run level 1 keeps the package from starting a server of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const install = () => run('apt-get', ['install', '-y', '--no-install-recommends', ...names], { env })
  await install()
    .catch(async () => {
      await run('apt-get', ['update'], { env })
      await install()
    })
    .catch((error) => console.log(String(error.stderr ?? error)))
  return missingPrograms()
}

async function missingPrograms() {
  const programs = Object.keys(packages) as (keyof typeof packages)[]
  const isThere = await Promise.all(programs.map(isInstalled))
  return programs.filter((_program, index) => !isThere[index])
}

async function isInstalled(program: string): Promise<boolean> {
  const folders = `${process.env['PATH'] ?? ''}:/usr/bin:/usr/sbin`.split(':')
  const found = await Promise.all(
    folders.map((folder) =>
      access(path.join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}
