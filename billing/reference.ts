// The reference of an order, which payers write on their bank transfer: a creditor reference of ISO 11649, so that banks and people
// notice a mistyped digit.
import { remainderOf } from '../text/check-digits.ts'

export function referenceOf(orderId: number): string {
  const number = String(orderId).padStart(8, '0')
  return `RF${String(98 - remainderOf(`RF00${number}`)).padStart(2, '0')}${number}`
}

/** The order that a reference names; undefined if it is no reference, or if a digit is wrong. */
export function orderIdOf(reference: string): number | undefined {
  const plain = withoutSpaces(reference)
  const id = Number(/^RF\d{10,18}$/.exec(plain)?.[0].slice(4))
  return Number.isSafeInteger(id) && referenceOf(id) === plain ? id : undefined
}

/** The digits of an order's number in a reference that was typed in part; undefined if the text is something else. */
export const digitsOf = (typed: string): string | undefined =>
  /^0*(\d+)$/.exec(withoutSpaces(typed).replace(/^RF\d{0,2}/, ''))?.[1]

/** In groups of four, as banks write it. */
export const inGroups = (text: string): string => text.replace(/.{4}(?=.)/g, '$& ')

const withoutSpaces = (text: string) => text.replace(/\s/g, '').toUpperCase()
