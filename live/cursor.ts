// How far a reader has come: the history of the database, and the version of the project in it (docs/architecture.md).

export interface Cursor {
  /** A version says nothing about another history. */
  epoch: string
  version: number
}

/** As a reader is told it, in the id of a message. */
export const cursorText = ({ epoch, version }: Cursor) => `${epoch}/${version}`

/** Undefined for what is no cursor, such as a forged Last-Event-ID or one of an earlier form. */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch, version] = /^(\w{1,16})\/(\d{1,15})$/.exec(text) ?? []
  return epoch === undefined ? undefined : { epoch, version: Number(version) }
}
