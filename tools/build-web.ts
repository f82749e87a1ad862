// Builds the web app if its sources have changed since the last build; `npm start` and the tests run it first.
import { hash } from 'node:crypto'
import { glob, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = path.join(import.meta.dirname, '..')
const output = path.join(root, 'web/dist')
/** Written last, so that an interrupted build is repeated. */
const stamp = path.join(output, 'sources.txt')

/** What the web app has of the service: the client, and what both sides agree on. They import nothing but types and each other. */
export const shared = [
  'billing/reference.ts',
  'boards/card/due.ts',
  'boards/group/group-types.ts',
  'contract/client.ts',
  'identity/roles.ts',
  'languages/known.ts',
  'text/allowed-html.ts',
  'text/check-digits.ts',
  'text/colors.ts',
  'text/icons.ts',
  'text/elements.ts',
  'text/tag-patterns.ts',
]

/** Files outside of web/ that affect the build. */
const others = [...shared, 'package-lock.json', 'tools/build-web.ts']

export async function buildWeb(): Promise<void> {
  const wanted = await sourcesHash()
  const built = await readFile(stamp, 'utf8').catch(() => '')
  if (built === wanted) return
  console.log('Building the web app …')
  // Loaded on demand, because loading it slows a start that builds nothing.
  const { build } = await import('vite')
  const { NODE_ENV: before } = process.env
  await build({ configFile: path.join(root, 'web/vite.config.ts'), logLevel: 'warn' })
  // Vite sets it to 'production' for the whole process, and the tests would inherit that.
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
  await compress()
  await writeFile(stamp, wanted)
}

async function sourcesHash(): Promise<string> {
  const entries = await readdir(path.join(root, 'web'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith(path.join('web', 'dist')))
    .concat(others)
    .sort()
  const contents = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')))
  return hash('sha256', files.map((file, index) => `${file}\n${contents[index]}`).join('\n'))
}

/** Compresses once at the highest level, instead of at every request. */
async function compress() {
  for await (const file of glob('**/*.{html,js,css,svg}', { cwd: output })) {
    const content = await readFile(path.join(output, file))
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
    const [small, wide] = await Promise.all([
      promisify(brotliCompress)(content, brotli),
      promisify(gzip)(content, { level: 9 }),
    ])
    await Promise.all([
      writeFile(path.join(output, `${file}.br`), small),
      writeFile(path.join(output, `${file}.gz`), wide),
    ])
  }
}

if (import.meta.main) await buildWeb()
