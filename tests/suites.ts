// Runs test files again in separate processes, under other conditions.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const root = path.join(import.meta.dirname, '..')

export async function assertPass(files: string[], conditions: Record<string, string>): Promise<void> {
  const { NODE_TEST_CONTEXT: _outer, ...environment } = process.env
  const child = spawn(process.execPath, ['--test', '--test-concurrency=1', ...files], {
    cwd: root,
    env: { ...environment, ...conditions },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const passed = Number(/^# pass (\d+)$|^ℹ pass (\d+)$/m.exec(output)?.slice(1).find(Boolean))
  assert.ok(code === 0 && passed >= files.length, output)
}
