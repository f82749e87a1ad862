// Runs the test files of its arguments one after the other in one process, so that the modules of the product are loaded once; called by
// tools/test.ts.
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { endFile } from './file-scope.ts'
import { countAgain } from './observed-postgres.ts'

const timeout = 180_000

// None is waited for here: what ends with the process would end with the first of them.
for (const file of process.argv.slice(2))
  test(file, { timeout }, async () => {
    after(endFile)
    countAgain()
    if (file.endsWith('.chromium.test.ts')) await (await import('./browser.ts')).beginFile()
    // Its tests become those of this one, which waits for them.
    await import(pathToFileURL(file).href)
  })
