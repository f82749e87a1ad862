// What a mail consists of. Each kind of mail (mail/kinds/) says it once; writing.ts makes the plain text and the HTML of it.
import { supportName } from '#events/support-name.ts'
import type { Say } from '#languages/speech.ts'

/** One thing among several, with a link to it. */
export interface Line {
  text: string
  url: string
  /** Where it is. */
  detail: string
  /** What somebody wrote. */
  quote?: string
}

export interface Content {
  subject: string
  paragraphs: string[]
  lists?: { heading?: string; lines: Line[]; more?: string }[]
  /** The one thing to do. */
  action?: { label: string; url: string }
  /** What happened, as names and values. */
  facts?: [name: string, value: string][]
  /** Said smaller, below the action. */
  notes: string[]
  /** The address that ends mails of this kind, also with one click in the mail program. */
  unsubscribe?: string
}

/** What a kind of mail is written with. */
export interface Pen {
  say: Say
  locale: string
  /** An address of the app. */
  url(path: string): string
  /** The secret of the mail's link; empty if it has none. */
  secret: string
}

export interface MailKind<Values extends object> {
  /** After this time it is of no use and is no longer sent. */
  hours: number
  /** Many people get it at once, so it waits for other mails. */
  isBulk?: true
  write(values: Values, pen: Pen): Content
}

/** Declares a kind of mail. */
export const mail = <Values extends object>(kind: MailKind<Values>): MailKind<Values> => kind

/** People read mails in all time zones, so the time says its own. */
export const timeIn = (iso: string, locale: string): string =>
  `${new Date(iso).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`

/**
 * A name that mail programs make no link of: a name like `https://evil.test` in a mail to a stranger would be an advertisement that we sent.
 * A joiner that nobody sees separates what an address consists of.
 */
export const withoutLinks = (name: string): string =>
  name.replace(/(?<=[\p{L}\p{N}])\.(?=\p{L}{2})|:(?=\/\/)|@(?=\S)/gu, '$&\u2060')

const longestName = 100

/** The name of a person; that of a superadmin who helps a project is said in the language of the mail. */
export const personIn = (name: string, say: Pen['say']): string =>
  name === supportName ? say('Cardinal support') : oneLine(name)

/** A name on one line: without characters that end a line or turn the direction of the text after them. */
export const oneLine = (name: string, longest = longestName): string => {
  const line = name
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
