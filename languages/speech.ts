// Says sentences in the language of the caller. service.ts hands `speechIn` to the router; the pages of routes/ use it too.
import { english, type Sentence, type Speech, say } from '#contract/speech.ts'
import * as de from './de.ts'
import { isLanguage, type Language, languages, preferred } from './known.ts'

/** Everything that is said in other languages. */
export type Text = keyof typeof de.sentences

/** What the file of a language exports. */
export interface Translation {
  sentences: Readonly<Record<Text, string>>
  labels: Readonly<Record<string, string>>
}

const translations: Record<Exclude<Language, 'en'>, Translation> = { de }

const speeches = new Map<Language, Speech>(
  languages.map((language) => [
    language,
    language === 'en' ? english : speechFrom(language, translations[language]),
  ]),
)

function speechFrom(locale: Language, { sentences, labels }: Translation): Speech {
  const translated = new Map<string, string>(Object.entries(sentences))
  return {
    locale,
    translate: (text) => translated.get(text) ?? text,
    label: (field) => labels[field] ?? field,
    number: (value) => value.toLocaleString(locale),
  }
}

export const speechOf = (language: Language): Speech => speeches.get(language) ?? english

/** The language that somebody chose, else the one that their browser prefers. */
export const speechIn = (chosen: string | null, acceptLanguage: string | undefined): Speech =>
  speechOf(isLanguage(chosen) ? chosen : preferred(acceptLanguage))

/** For pages: says only what every language has. */
export type Say = (text: Text, values?: Sentence['values']) => string

export const sayIn =
  (speech: Speech): Say =>
  (text, values = {}) =>
    say(speech, { text, values })
