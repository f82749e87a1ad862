// Builds the web app if its sources have changed since the last build; `npm start` and the tests run it first.
import { hash } from 'node:crypto'
import { glob, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Language, languages } from '../languages/known.ts'
import type { Texts } from '../languages/texts.ts'

const root = path.join(import.meta.dirname, '..')
/** A folder for each language. */
const output = path.join(root, 'web/dist')
/** Written last, so that an interrupted build is repeated. */
const stamp = path.join(output, 'sources.txt')

/** What the web app has of the service: the client, and what both sides agree on. They import nothing but types and each other. */
export const shared = [
  'billing/reference.ts',
  'boards/card/description-version.ts',
  'boards/card/due.ts',
  'boards/card/new-card.ts',
  'boards/card/priorities.ts',
  'boards/group/group-types.ts',
  'contract/client.ts',
  'events/support-name.ts',
  'identity/estimating.ts',
  'identity/former-member.ts',
  'identity/leaked-passwords.ts',
  'identity/photo-size.ts',
  'identity/program.ts',
  'identity/roles.ts',
  'identity/weak-password.ts',
  'languages/known.ts',
  'live/cursor.ts',
  'text/allowed-html.ts',
  'text/check-digits.ts',
  'text/colors.ts',
  'text/icons.ts',
  'text/elements.ts',
  'text/foreign-elements.ts',
  'text/unwrapping.ts',
  'text/write-html.ts',
  'text/html-text.ts',
  'text/tag-patterns.ts',
]

/** Files outside of web/ that affect the build. */
const others = [
  ...shared,
  ...languages.filter((language) => language !== 'en').map((language) => `languages/${language}.ts`),
  'package-lock.json',
  'tools/build-web.ts',
  'tools/translate.ts',
]

export async function buildWeb(): Promise<void> {
  const wanted = await sourcesHash()
  const built = await readFile(stamp, 'utf8').catch(() => '')
  if (built === wanted) return
  console.log('Building the web app …')
  await rm(output, { recursive: true, force: true })
  for (const language of languages)
    await buildLanguage(language, await textsOf(language), path.join(output, language))
  await compress()
  await writeFile(stamp, wanted)
}

/** What the app says instead of the English texts. */
export async function textsOf(language: Language): Promise<Texts> {
  if (language === 'en') return {}
  return ((await import(`../languages/${language}.ts`)) as { app: Texts }).app
}

export async function buildLanguage(language: string, texts: Texts, folder: string): Promise<void> {
  // Loaded on demand, because loading them slows a start that builds nothing.
  const [{ build }, { translating }] = await Promise.all([import('vite'), import('./translate.ts')])
  const { NODE_ENV: before } = process.env
  await build({
    configFile: path.join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    plugins: [translating(language, texts)],
    build: { outDir: folder },
  })
  // Vite sets it to 'production' for the whole process, and the tests would inherit that.
  if (before === undefined) delete process.env['NODE_ENV']
  else process.env['NODE_ENV'] = before
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

/** For the lists of passwords, which are 5 % smaller at the highest level and take 13 s instead of 1 s. */
const fastFromBytes = 1_000_000

/** Compresses once at the highest level, instead of at every request. */
async function compress() {
  for await (const file of glob('**/*.{html,js,css,svg}', { cwd: output })) {
    const content = await readFile(path.join(output, file))
    const quality = content.length < fastFromBytes ? 11 : 9
    const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }
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
