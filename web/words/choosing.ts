import { isLanguage, type Language, languages } from '#languages/known.ts'
import { language } from './locale.ts'

/** Each in itself, so that people find theirs on a page that they cannot read. */
export const languageNames = Object.fromEntries(
  languages.map((one) => [one, new Intl.DisplayNames(one, { type: 'language' }).of(one) ?? one]),
) as Readonly<Record<Language, string>>

const yearSeconds = 365 * 86_400

const cookie = 'cardinal_language'

const isAsked = (chosen: Language) => document.cookie.includes(`${cookie}=${chosen}`)

/** Loads the app again in a language, or in the browser's. The cookie tells the server which build to send. */
export function speak(chosen: Language | null): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the newer interface.
  document.cookie = `${cookie}=${chosen ?? ''}; Path=/; Max-Age=${chosen ? yearSeconds : 0}; SameSite=Lax`
  location.reload()
}

/** The language of an account, if the app speaks another one and was not already loaded again for it. */
export function otherLanguage(chosen: string | null): Language | undefined {
  return isLanguage(chosen) && chosen !== language && !isAsked(chosen) ? chosen : undefined
}
