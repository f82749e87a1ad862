// Who started the program, for the audit log, if it was root and has become another user since.
import { closeSync, fchmodSync, lstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { runtimeDirectoryOf } from '#database/embedded/socket-directory.ts'
import { identifyProcess } from '#database/process-identity.ts'

const noteIn = (uid: number) => path.join(runtimeDirectoryOf(uid), `started-${process.pid}`)

/** Leaves a note for this process after it has become the user with the id. Only root can write one, unlike a variable of the environment. */
export async function noteStarter(uid: number): Promise<void> {
  const identity = await identifyProcess(process.pid)
  try {
    rmSync(noteIn(uid), { force: true })
    const note = openSync(noteIn(uid), 'wx')
    fchmodSync(note, 0o644)
    writeFileSync(note, `${identity}\n${userInfo().username}`)
    closeSync(note)
  } catch {
    // Without a place for it, the audit log names the user that the program has become.
  }
}

let starter: string | undefined

/** Reads the note once, and removes it. */
export async function readStarter(): Promise<void> {
  const note = noteIn(process.getuid?.() ?? 0)
  const found = lstatSync(note, { throwIfNoEntry: false })
  if (!found?.isFile() || found.uid !== 0) return
  const [identity, name] = readFileSync(note, 'utf8').split('\n')
  rmSync(note)
  if (identity === (await identifyProcess(process.pid))) starter = name
}

export const systemUser = (): string => starter ?? userInfo().username
