// Writes every generated file, or with --check says which are stale.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { withTestDatabase } from '#tests/postgres.ts'
import { registrySource } from './generate-registry.ts'
import { schemaSource } from './generate-schema.ts'

const root = path.join(import.meta.dirname, '..')
const check = process.argv.includes('--check')
const stale: string[] = []

async function emit(file: string, content: string) {
  const target = path.join(root, file)
  if ((await readFile(target, 'utf8').catch(() => '')) === content) return
  stale.push(file)
  if (!check) await writeFile(target, content)
}

await emit('api/registry.ts', await registrySource())
await withTestDatabase(async (db) => emit('database/schema.sql', await schemaSource(db)))
// Imported after the registry was written, because they depend on it.
const { fieldsSource, openapiSource, rolesSource } = await import('./generate-docs.ts')
if (!check) {
  const { recordExamples } = await import('./record-examples.ts')
  await emit('docs/examples.json', `${JSON.stringify(await recordExamples(), null, 1)}\n`)
}
const examples = JSON.parse(await readFile(path.join(root, 'docs/examples.json'), 'utf8'))
await emit('docs/openapi.json', openapiSource(examples))
await emit('docs/fields.md', fieldsSource())
await emit('docs/roles.md', rolesSource())

if (stale.length === 0) console.log('Generated files are up to date.')
else
  console.log(check ? `Stale: ${stale.join(', ')}. Run \`npm run generate\`.` : `Wrote ${stale.join(', ')}.`)
process.exitCode = check && stale.length > 0 ? 1 : 0
