// What words mean in the dates of a language: those of the app's texts, and the names of months and weekdays from `Intl`.

/** The words of a language, each with its forms separated by commas. */
export type DateWords = Readonly<
  Record<
    | 'today'
    | 'tomorrow'
    | 'dayAfterTomorrow'
    | 'yesterday'
    | 'dayBeforeYesterday'
    | 'on'
    | 'in'
    | 'ago'
    | 'next'
    | 'coming'
    | 'last'
    | 'this'
    | 'endOf'
    | 'endOfDay'
    | 'endOfWeek'
    | 'endOfMonth'
    | 'endOfYear'
    | 'weekend'
    | 'of'
    | 'at'
    | 'oClock'
    | 'morning'
    | 'noon'
    | 'afternoon'
    | 'evening'
    | 'tonight'
    | 'one'
    | 'numbers'
    | 'minutes'
    | 'hours'
    | 'days'
    | 'weeks'
    | 'months'
    | 'years',
    string
  >
>

export interface DateLanguage {
  is(name: keyof DateWords, word: string | undefined): boolean
  /** What follows such a word at the beginning of a text. */
  after(name: keyof DateWords, text: string): string | undefined
  /** From 0, which is January. */
  monthNamed(word: string | undefined): number | undefined
  /** From 0, which is Sunday. */
  weekdayNamed(word: string | undefined): number | undefined
  /** "a" and "two" are numbers. */
  numberNamed(word: string): number | undefined
  /** Whether 2/3 is in February. */
  isMonthFirst: boolean
}

/** Of a language and its country (`en-GB`). */
export function dateLanguage(locale: string, words: DateWords): DateLanguage {
  const forms = Object.fromEntries(
    Object.entries(words).map(([name, list]) => [name, list.split(',').map(fold)]),
  ) as Record<keyof DateWords, string[]>
  const months = namesOf(locale, 'month', (index) => Date.UTC(2000, index, 15), 12)
  // 2 January 2000 was a Sunday.
  const weekdays = namesOf(locale, 'weekday', (index) => Date.UTC(2000, 0, 2 + index), 7)
  const order = new Intl.DateTimeFormat(locale).formatToParts(0).map(({ type }) => type)
  const is = (name: keyof DateWords, word: string | undefined) =>
    word !== undefined && forms[name].includes(word)
  return {
    is,
    after(name, text) {
      const start = forms[name].find((form) => text.startsWith(`${form} `))
      return start === undefined ? undefined : text.slice(start.length + 1)
    },
    monthNamed: (word) => findName(months, word, 3),
    weekdayNamed: (word) => findName(weekdays, word, 2),
    numberNamed(word) {
      if (is('one', word)) return 1
      const place = forms.numbers.indexOf(word)
      return place < 0 ? undefined : place + 2
    },
    isMonthFirst: order.indexOf('month') < order.indexOf('day'),
  }
}

/** Lower case without accents, commas and the dots of abbreviations. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}|(?<=\p{L})\./gu, '')
    .replaceAll(/[\s,]+/g, ' ')
    .trim()

/** The long and short names of months or weekdays, alone and in dates. */
function namesOf(
  locale: string,
  unit: 'month' | 'weekday',
  timeOf: (index: number) => number,
  count: number,
) {
  const formats = (['long', 'short'] as const).flatMap((width) =>
    [{}, { day: 'numeric', month: width } as const].map(
      (more) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...more, [unit]: width }),
    ),
  )
  return Array.from({ length: count }, (_, index) =>
    formats.map((format) =>
      fold(format.formatToParts(timeOf(index)).find(({ type }) => type === unit)?.value ?? ''),
    ),
  )
}

/** The index of the only name that begins with these letters. */
function findName(names: string[][], word: string | undefined, leastLetters: number): number | undefined {
  if (word === undefined) return undefined
  const exact = names.findIndex((forms) => forms.includes(word))
  if (exact >= 0) return exact
  const found = names.flatMap((forms, index) => (forms.some((form) => form.startsWith(word)) ? [index] : []))
  return word.length >= leastLetters && found.length === 1 ? found[0] : undefined
}
