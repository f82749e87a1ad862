import { isLanguage, type Language } from '#languages/known.ts'
import { language } from './locale.ts'

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

const yearSeconds = 365 * 86_400

/** Loads the app again in a language, or in the browser's. The cookie tells the server which build to send. */
export function speak(chosen: Language | null): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the newer interface.
  document.cookie = `language=${chosen ?? ''}; Path=/; Max-Age=${chosen ? yearSeconds : 0}; SameSite=Lax`
  location.reload()
}

/** True if the app must be loaded again to speak the language of an account. */
export const speaksAnother = (chosen: string | null): chosen is Language =>
  isLanguage(chosen) && chosen !== language
