/** The page is in English; the browser's language only selects the variant for dates and numbers. */
export const locale = navigator.languages.find((language) => /^en\b/.test(language)) ?? 'en'

export const formatNumber = (value: number): string => value.toLocaleString(locale)
