import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Programs that tests need and npm does not install: the Debian package, and its commands, best first. */
const programs = {
  'redis-server': { package: 'redis-server', commands: ['redis-server'] },
  // The headless shell runs the same tests in two thirds of the time.
  chromium: { package: 'chromium-headless-shell', commands: ['chromium-headless-shell', 'chromium'] },
  // Another clock for single programs.
  faketime: { package: 'faketime', commands: ['faketime'] },
  pgbouncer: { package: 'pgbouncer', commands: ['pgbouncer'] },
  // Debian 12 has it; the embedded one is 18.
  'postgres-15': { package: 'postgresql-15', commands: ['/usr/lib/postgresql/15/bin/postgres'] },
}
type Program = keyof typeof programs

/** Installs missing programs if possible, and returns those still missing. */
export async function installPrograms(): Promise<Program[]> {
  const missing = await missingPrograms()
  if (missing.length === 0 || process.getuid?.() !== 0 || !(await findFirst(['apt-get']))) return missing
  console.log(`Installing ${missing.join(', ')} …`)
  const names = missing.map((program) => programs[program].package)
  // Run level 1 keeps the package from starting its own server.
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

export async function fileOf(program: Program): Promise<string> {
  const file = await findFirst(programs[program].commands)
  if (file === undefined)
    throw new Error(`${program} is not installed; on Debian, as root, npm test does that.`)
  return file
}

async function missingPrograms(): Promise<Program[]> {
  const names = Object.keys(programs) as Program[]
  const files = await Promise.all(names.map((name) => findFirst(programs[name].commands)))
  return names.filter((_name, index) => files[index] === undefined)
}

/** The file of the first command that is installed. */
async function findFirst(commands: string[]): Promise<string | undefined> {
  const folders = `${process.env['PATH'] ?? ''}:/usr/bin:/usr/sbin`.split(':')
  const files = commands.flatMap((command) => folders.map((folder) => path.resolve(folder, command)))
  const isThere = await Promise.all(
    files.map((file) =>
      access(file, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return files.find((_file, index) => isThere[index])
}
