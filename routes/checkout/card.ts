import type { Say } from '#languages/speech.ts'

export const testCards = { accepted: '4242 4242 4242 4242', declined: '4000 0000 0000 0002' }

/** At most one, so that people read one message at a time. */
export type CardErrors = { [Field in 'number' | 'expiry' | 'code']?: string }

/** The first thing that is wrong with the card, by field. Nothing is stored, and only the two test cards are accepted. */
export function judgeCard(given: URLSearchParams, say: Say, now = new Date()): CardErrors {
  const number = digits(given.get('number'))
  if (number !== digits(testCards.accepted) && number !== digits(testCards.declined))
    return {
      number: say('Use a test card, such as :number. Never enter a real one.', {
        number: testCards.accepted,
      }),
    }
  const expiry = expiryError(given.get('expiry') ?? '', say, now)
  if (expiry !== undefined) return { expiry }
  if (!/^\d{3,4}$/.test(given.get('code')?.trim() ?? '')) return { code: say('Enter any 3 digits.') }
  if (number === digits(testCards.accepted)) return {}
  return { number: say('The card was declined. Nothing was charged. Try another card.') }
}

const digits = (text: string | null) => (text ?? '').replace(/[\s-]/g, '')

function expiryError(text: string, say: Say, now: Date): string | undefined {
  const [, month = '', year = ''] = /^\s*(\d{1,2})\s*[/-]\s*(\d{2}|20\d{2})\s*$/.exec(text) ?? []
  if (month === '' || Number(month) < 1 || Number(month) > 12)
    return say('Enter month and year, such as 12/34.')
  const endsAt = Date.UTC(2000 + (Number(year) % 100), Number(month), 1)
  return endsAt <= now.getTime() ? say('This card has expired. Enter a future month.') : undefined
}
