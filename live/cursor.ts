// A reader's position in the event stream: the epoch of the database and the version of the project (docs/architecture.md).

export interface Cursor {
  /** Versions of different epochs cannot be compared. */
  epoch: string
  version: number
}

/** The form on the wire, in the id of a message. */
export const cursorText = ({ epoch, version }: Cursor) => `${epoch}/${version}`

/** Undefined for an invalid cursor, such as a forged Last-Event-ID or an older form. */
export function parseCursor(text: string): Cursor | undefined {
  const [, epoch, version] = /^(\w{1,16})\/(\d{1,15})$/.exec(text) ?? []
  return epoch === undefined ? undefined : { epoch, version: Number(version) }
}
