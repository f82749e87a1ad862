// Results that a handler returns as JSON, or with a message of their own.
import type { Sentence } from './speech.ts'

/** Data with another message than the usual one of the operation. */
export class Said<Data> {
  readonly sentence: Sentence
  readonly data: Data
  constructor(sentence: Sentence, data: Data) {
    this.sentence = sentence
    this.data = data
  }
}

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
  /** The index of the last part in each piece of memory. */
  readonly #last: Map<ArrayBufferLike, number>
  /** How many answers hold each piece of memory; data that changed shares the rest with the data before. */
  readonly #holders: Map<ArrayBufferLike, number>
  #freed = 0
  constructor(key: string, parts: readonly Buffer[], before?: Streamed) {
    this.key = key
    this.parts = parts
    this.bytes = parts.reduce((sum, { length }) => sum + length, 0)
    this.#last = new Map(parts.map(({ buffer }, index) => [buffer, index]))
    this.#holders = before ? before.#holders : new Map()
    for (const memory of this.#last.keys()) this.#holders.set(memory, (this.#holders.get(memory) ?? 0) + 1)
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
    for (; this.#freed < passed; this.#freed++) {
      const memory = this.parts[this.#freed]?.buffer as ArrayBufferLike
      if (this.#last.get(memory) === this.#freed) this.#release(memory)
    }
  }

  #release(memory: ArrayBufferLike) {
    const others = (this.#holders.get(memory) as number) - 1
    if (others > 0) return void this.#holders.set(memory, others)
    this.#holders.delete(memory)
    if (memory instanceof ArrayBuffer) memory.transfer(0)
  }
}
