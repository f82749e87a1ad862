import type { FastifyRequest } from 'fastify'
import { isLanguage, type Language, preferred } from '#languages/known.ts'

/** The language of a page. The app stores the chosen one in a cookie, since a page cannot wait for the account. */
export function languageOf({ headers }: FastifyRequest): Language {
  const chosen = /(?:^|;\s*)cardinal_language=(\w+)/.exec(headers.cookie ?? '')?.[1]
  return isLanguage(chosen) ? chosen : preferred(headers['accept-language'])
}
