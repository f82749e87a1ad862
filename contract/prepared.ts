// Results that a handler returns as JSON.

/** Data whose JSON is kept in memory; its bodies are created once per version. */
export class Prepared {
  readonly json: Readonly<Record<string, string>>
  readonly bodies: { v1?: Buffer; v2?: Buffer } = {}
  constructor(json: Readonly<Record<string, string>>) {
    this.json = json
  }
}

/** Data of one key whose JSON is too large for one string, in parts; no part ends inside a row. */
export class Streamed {
  readonly key: string
  readonly parts: readonly Buffer[]
  readonly bytes: number
  constructor(key: string, parts: readonly Buffer[]) {
    this.key = key
    this.parts = parts
    this.bytes = parts.reduce((sum, { length }) => sum + length, 0)
  }
}
