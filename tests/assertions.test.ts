// An assertion that runs only under a condition may never run, and nobody notices.
import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'

const root = path.join(import.meta.dirname, '..')

const assertion = /\bassert\w*(\.\w+)?\(/
/** A line whose deeper lines, or whose own end, run only under a condition. */
const condition = /^\s*(\} )?(else )?if \(|^\s*\}? ?else\b|^\s*(case .*|default):|^\s*\} catch\b/
/** Within one line; `?? assert.fail()` fails for whatever is missing. */
const choice = /(&&|\|\||\?\??|\s:) (await )?assert(?!\.fail\()\w*(\.\w+)?\(/

/** The lines of assertions that run only under a condition, by how far lines are indented. */
function conditionalLines(source: string): number[] {
  const lines = source.split('\n')
  const indentOf = (line: string) => line.search(/\S/)
  return lines.flatMap((line, index) => {
    if (!assertion.test(line) || /^\s*(\/[/*]|\*|(export )?(async )?function|import)/.test(line)) return []
    let indent = indentOf(line)
    let isConditional = choice.test(line) || condition.test(line)
    for (let above = index - 1; above >= 0 && indent > 0 && !isConditional; above--) {
      const other = lines[above] as string
      if (other === '' || indentOf(other) >= indent) continue
      indent = indentOf(other)
      // The condition of several lines begins where its parenthesis opens.
      const opening = /^\s*\) ?\{?$/.test(other)
        ? lines.slice(0, above).findLastIndex((one) => indentOf(one) === indent)
        : above
      isConditional = condition.test(lines[opening] as string)
    }
    return isConditional ? [index + 1] : []
  })
}

test('no assertion runs only under a condition', async () => {
  const found: string[] = []
  const exclude = ['node_modules', 'tests/assertions.test.ts']
  for await (const file of glob(['**/*.test.ts', 'tests/**/*.ts'], { cwd: root, exclude }))
    for (const line of conditionalLines(await readFile(path.join(root, file), 'utf8')))
      found.push(`${file}:${line}`)
  assert.deepEqual([...new Set(found)], [])
})

test('conditions are found in every form', () => {
  const forms = [
    'if (a) assert.ok(b)',
    'if (a)\n  assert.ok(b)',
    'if (a) {\n  for (const c of d)\n    assert.ok(c)\n}',
    'if (\n  a\n) {\n  assert.ok(b)\n}',
    'if (a) b()\nelse assert.ok(c)',
    'if (a) {\n  b()\n} else {\n  assert.ok(c)\n}',
    'if (a)\n  test("b", () => {\n    assert.ok(c)\n  })',
    'switch (a) {\n  case 1:\n    assert.ok(b)\n}',
    'try {\n  a()\n} catch {\n  assert.ok(b)\n}',
    'a && assert.ok(b)',
    'a ? assert.ok(b) : assert.ok(c)',
    'if (a) return assertSame(b)',
  ]
  for (const form of forms) assert.notDeepEqual(conditionalLines(form), [], form)
  const plain = ['assert.ok(a)', 'if (a) b()\nassert.ok(c)', 'for (const a of b)\n  assert.ok(a)']
  for (const form of [...plain, 'const a = b ?? assert.fail()', 'assert.equal(a, b ? 1 : 2)'])
    assert.deepEqual(conditionalLines(form), [], form)
})
