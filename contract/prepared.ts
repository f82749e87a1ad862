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

/** One reader of large data, or the cache that keeps it. */
export interface Use {
  /** The next part was copied and is not needed again. */
  pass(): void
  /** May be called again. */
  end(): void
}

/**
 * Data of one key whose JSON is too large for one string, in parts; no part ends inside a row. What all of its uses have passed is freed,
 * because the garbage collector would let several such answers pile up first.
 */
export class Streamed {
  readonly key: string
  /** In memory that holds nothing else. */
  readonly parts: readonly Buffer[]
  readonly bytes: number
  readonly #uses = new Set<{ passed: number }>()
  #freed = 0
  constructor(key: string, parts: readonly Buffer[]) {
    this.key = key
    this.parts = parts
    this.bytes = parts.reduce((sum, { length }) => sum + length, 0)
  }

  use(): Use {
    const use = { passed: 0 }
    this.#uses.add(use)
    return {
      pass: () => {
        use.passed++
        this.#free()
      },
      // Not at once, because a caller that has just been given the data has not used it yet.
      end: () =>
        setImmediate(() => {
          this.#uses.delete(use)
          this.#free()
        }),
    }
  }

  #free() {
    const passed = Math.min(this.parts.length, ...[...this.#uses].map((use) => use.passed))
    const needed = this.parts[passed]?.buffer
    for (; this.#freed < passed; this.#freed++) {
      const memory = this.parts[this.#freed]?.buffer
      // Several parts share a block.
      if (memory === needed) return
      if (memory instanceof ArrayBuffer && !memory.detached) memory.transfer(0)
    }
  }
}
