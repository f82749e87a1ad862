import type { Language } from '#languages/known.ts'

/** There is none in tests of modules that need no browser. */
const { document: page } = globalThis as { document?: { documentElement: { lang: string } } }

/** The language of this build of the app. */
export const language = (page?.documentElement.lang ?? 'en') as Language

/** The browser's languages only select the variant for dates and numbers. */
export const locale =
  navigator.languages.find((name) => name === language || name.startsWith(`${language}-`)) ?? language

const numbers = new Intl.NumberFormat(locale)

export const formatNumber = (value: number): string => numbers.format(value)

const shares = new Intl.NumberFormat(locale, { style: 'percent' })

/** A share of 1 in percent. */
export const formatShare = (share: number): string => shares.format(share)
