// The languages that people can choose, for the service and the web app; docs/decisions.md says how one is added.

/** The first is the default. */
export const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]

export const isLanguage = (value: unknown): value is Language => languages.some((known) => known === value)

/** More than any browser sends, so that a long header costs no time. */
const mostEntries = 20

/** A language or `*`, its region and script (which choose nothing), and its quality. */
const entryPattern =
  /^\s*([a-z]{2,8}|\*)(?:-[a-z0-9]{1,8})*\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i

/** The known language that an Accept-Language header prefers; of equal ones that which is named first. */
export function preferred(acceptLanguage: string | undefined): Language {
  let best: Language = languages[0]
  if (acceptLanguage === undefined) return best
  const qualities = new Map<Language, number>()
  let ofOthers = 0
  for (const entry of acceptLanguage.split(',', mostEntries)) {
    const [, given = '', quality = '1'] = entryPattern.exec(entry) ?? []
    const name = given.toLowerCase()
    if (name === '*') ofOthers = Math.max(ofOthers, Number(quality))
    else if (isLanguage(name)) qualities.set(name, Math.max(qualities.get(name) ?? 0, Number(quality)))
  }
  for (const language of languages) if (!qualities.has(language)) qualities.set(language, ofOthers)
  let highest = 0
  for (const [language, quality] of qualities)
    if (quality > highest) {
      best = language
      highest = quality
    }
  return best
}
