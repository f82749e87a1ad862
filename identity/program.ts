// Names the program behind a user agent, for the list of sessions in the app and for mails.

const browsers: readonly [part: string, name: string][] = [
  ['Firefox/', 'Firefox'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
]

const systems: readonly [part: string, name: string][] = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
]

const named = (pairs: typeof browsers, userAgent: string) =>
  pairs.find(([part]) => userAgent.includes(part))?.[1]

/** Undefined for what is not known. */
export const programIn = (
  userAgent: string,
): { browser: string | undefined; system: string | undefined } => ({
  browser: named(browsers, userAgent),
  system: named(systems, userAgent),
})
