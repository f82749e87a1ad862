// How sentences are said to a caller. Declarations are in English; an API may hand other languages to the router.

/** A function gets the language, for what each language writes in its own way, such as dates. */
export type Value = string | number | ((locale: string) => string)

/** A text with placeholders such as `:count`, and their values. `:attribute` is the name of a field. */
export interface Sentence {
  text: string
  values?: Readonly<Record<string, Value>>
}

/** One language. */
export interface Speech {
  locale: string
  /** The text in this language, with the same placeholders. */
  translate(text: string): string
  /** The name of a field in a sentence. */
  label(field: string): string
  /** A number in a sentence. */
  number(value: number): string
}

export const english: Speech = {
  locale: 'en',
  translate: (text) => text,
  label: (field) => (field.includes('.') ? field : field.replaceAll('_', ' ')),
  // The contract's sentences have numbers without separators.
  number: String,
}

export const say = (speech: Speech, { text, values = {} }: Sentence): string =>
  speech.translate(text).replace(/:([a-z]+)/g, (placeholder, name: string) => {
    const value = values[name]
    if (value === undefined) return placeholder
    if (typeof value === 'function') return value(speech.locale)
    if (typeof value === 'number') return speech.number(value)
    return name === 'attribute' ? speech.label(value) : value
  })
