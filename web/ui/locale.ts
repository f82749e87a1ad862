/** The page is in English; of its dates and numbers the browser chooses only whose English they are in. */
export const locale = navigator.languages.find((language) => /^en\b/.test(language)) ?? 'en'

export const formatNumber = (value: number): string => value.toLocaleString(locale)
