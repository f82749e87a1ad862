// Letters that no new email address may have, because addresses are compared in lower case.

/**
 * PostgreSQL's lower() takes them for a letter that has another capital, such as İ and the Kelvin sign for i and k. So who had the mailbox
 * `…@vİctim.example` could take the address `…@victim.example` before its owner.
 */
export const withoutMistakable =
  '^[^\\u0130\\u01c5\\u01c8\\u01cb\\u01f2\\u03f4\\u1e9e\\u2126\\u212a\\u212b]*$'

const isWithout = new RegExp(withoutMistakable)

/** The first of them, such as U+0130. */
export function mistakableLetterIn(text: string): string | undefined {
  const letter = [...text].find((one) => !isWithout.test(one))
  return letter && `U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}
