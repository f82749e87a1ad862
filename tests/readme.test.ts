// Runs the shell blocks of the README and of the guide for programs as they are written, in order, against the demo.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import test from 'node:test'
import { demoPassword } from '../demo/accounts.ts'
import packageJson from '../package.json' with { type: 'json' }
import { demoDirectory, serve, start, within } from './process.ts'

const service = await serve({ CARDINAL_DATA_DIR: await demoDirectory() })

const blocksOf = (markdown: string) =>
  [...markdown.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] as string)

/** Runs the blocks in one shell, which ends with the first command that fails, and returns what they print. */
async function runBlocks(blocks: string[], environment: Record<string, string> = {}): Promise<string> {
  const script = blocks.join('\n').replaceAll('http://127.0.0.1:3000', service.url)
  const shell = start(['-euo', 'pipefail', '-c', script], environment, 'bash')
  assert.equal(await within(60_000, shell.ended), 0, shell.stderr)
  return shell.stdout
}

const successes = (output: string) => output.match(/\{"error":false,"message":"/g)?.length ?? 0

const shortened = (output: string) => output.replace(/"data":.*/g, '…')

test('every block of the README runs', async () => {
  const blocks = blocksOf(await readFile(new URL('../README.md', import.meta.url), 'utf8'))
  // The service runs already, and these tests are running.
  const scripts = blocks.filter((block) => block.startsWith('npm '))
  assert.deepEqual(scripts, ['npm start\n', 'npm test\n'])
  for (const name of ['start', 'test'] as const) assert.ok(packageJson.scripts[name])
  const calls = blocks.filter((block) => !scripts.includes(block))
  const output = await runBlocks(calls)
  const curls = calls.join('\n').match(/\bcurl /g)?.length ?? 0
  // Signing in twice prints nothing, and the stream prints events.
  assert.equal(successes(output), curls - 3, shortened(output))
  assert.doesNotMatch(output, /"error":true|"errors":/)
  assert.match(output, /"title":"Daily operations"/)
  assert.match(output, /event: changes\n.*\ndata: .*"kind":"card.created".*Water the plants/)
  assert.match(output, /Website launch, 2nd edition/)
  assert.match(output, /"checkout_url":"http/)
})

test('the block of the guide for programs runs', async () => {
  const blocks = blocksOf(await (await fetch(`${service.url}/llms.txt`)).text())
  assert.equal(blocks.length, 1)
  const output = await runBlocks(blocks, { EMAIL: 'member@acme.test', PASSWORD: demoPassword })
  assert.equal(successes(output), 3, shortened(output))
  assert.match(output, /"due_date":"2030-01-31T00:00:00.000Z"/)
})
