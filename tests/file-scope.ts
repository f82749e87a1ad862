// What ends with a test file, and what ends with its process: several files may share one (tests/together.ts).
import { after } from 'node:test'

let ofFile = new AsyncDisposableStack()
const ofProcess = new AsyncDisposableStack()
after(async () => {
  await ofFile.disposeAsync()
  await ofProcess.disposeAsync()
})

/** Undone after the tests of the file that is running. */
export const afterFile = (undo: () => unknown): void => ofFile.defer(async () => void (await undo()))

/** Undone after the last test of this process. */
export const afterAllFiles = (undo: () => unknown): void => ofProcess.defer(async () => void (await undo()))

/** Undoes what belongs to a file before the next one begins. */
export async function endFile(): Promise<void> {
  const ended = ofFile
  ofFile = new AsyncDisposableStack()
  await ended.disposeAsync()
}
