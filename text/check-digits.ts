/**
 * The remainder by 97 (ISO 7064) of a text such as an IBAN or a payment reference, whose check digits are its third and fourth
 * characters; 1 if they are right.
 */
export function remainderOf(text: string): number {
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  )
  return Number(BigInt(digits) % 97n)
}
