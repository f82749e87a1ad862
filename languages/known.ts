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
  const [usual] = languages
  if (acceptLanguage === undefined) return usual
  const qualities = new Map<string, number>()
  for (const entry of acceptLanguage.split(',', mostEntries)) {
    const [, name = '', quality = '1'] = entryPattern.exec(entry) ?? []
    const known = qualities.get(name.toLowerCase()) ?? -1
    qualities.set(name.toLowerCase(), Math.max(known, Number(quality)))
  }
  const named = [...qualities.keys()].filter(isLanguage)
  const quality = (language: Language) => qualities.get(language) ?? qualities.get('*') ?? 0
  const [best = usual] = [...new Set([...named, ...languages])].toSorted((a, b) => quality(b) - quality(a))
  return quality(best) > 0 ? best : usual
}
