// Results that a handler returns as JSON.

/** Compressed bodies by coding and beginning, also while they are being compressed. */
export type Compressed = Map<string, Promise<Buffer>>

interface KeptBody {
  bytes: Buffer
  compressed: Compressed
}

/** Data whose JSON is kept in memory; its bodies are created once per version and compressed once per coding. */
export class Prepared {
  readonly json: Readonly<Record<string, string>>
  readonly bodies: { v1?: KeptBody; v2?: KeptBody } = {}
  constructor(json: Readonly<Record<string, string>>) {
    this.json = json
  }
}

/**
 * Data of one key whose JSON is too large for one string, in parts; no part ends inside a row. Its memory is freed when its last use
 * ends, because the garbage collector would let several of them pile up first.
 */
export class Streamed {
  readonly key: string
  readonly parts: readonly Buffer[]
  readonly bytes: number
  readonly #memory: readonly ArrayBuffer[]
  #uses = 0
  /** `memory` is what the parts are in, and nothing else. */
  constructor(key: string, parts: readonly Buffer[], memory: readonly ArrayBuffer[]) {
    this.key = key
    this.parts = parts
    this.bytes = parts.reduce((sum, { length }) => sum + length, 0)
    this.#memory = memory
  }

  /** Returns what ends this use, and may be called again. */
  use(): () => void {
    let isUsed = true
    this.#uses++
    return () => {
      if (!isUsed) return
      isUsed = false
      this.#uses--
      // Not at once, because a caller that has just been given the data has not used it yet.
      setImmediate(() => {
        if (this.#uses === 0) for (const block of this.#memory) if (!block.detached) block.transfer(0)
      })
    }
  }
}
