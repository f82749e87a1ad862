// Runs test files again in one other process, under other conditions.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const root = path.join(import.meta.dirname, '..')

/** A condition that is undefined is a variable that the other process does not get. */
export async function assertPass(
  files: string[],
  conditions: Record<string, string | undefined>,
): Promise<void> {
  const { NODE_TEST_CONTEXT: _outer, ...environment } = process.env
  const together = path.join(import.meta.dirname, 'together.ts')
  const paths = files.map((file) => path.join(root, file))
  const child = spawn(process.execPath, [together, ...paths], {
    cwd: root,
    env: { ...environment, ...conditions },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const passed = Number(/^# pass (\d+)$|^ℹ pass (\d+)$/m.exec(output)?.slice(1).find(Boolean))
  assert.ok(code === 0 && passed >= files.length, output)
}
