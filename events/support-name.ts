/** What a project reads instead of the name of a superadmin who is no member; the app says it in the language of the reader. */
export const supportName = 'Cardinal support'

/** Letters of other alphabets and digits that look like letters of the name, and the letters that look like each other. */
const lookalikes: readonly [looks: RegExp, like: string][] = [
  [/[\u0251\u03b1\u0430]/g, 'a'],
  [/[\u03f2\u0441\u1d04]/g, 'c'],
  [/[\u0501]/g, 'd'],
  [/[1l|\u0131\u0269\u03b9\u0456\u04cf]/g, 'i'],
  [/[\u03bd\u0578]/g, 'n'],
  [/[0\u03bf\u043e\u0585]/g, 'o'],
  [/[\u03c1\u0440]/g, 'p'],
  [/[\u0433]/g, 'r'],
  [/[\u0455]/g, 's'],
  [/[\u03c4\u0442]/g, 't'],
  [/[\u03c5\u057d]/g, 'u'],
]

/** Whether people would read a name as that of the support, whatever its case, spaces, hyphens, accents, invisible characters and alphabet. */
export const isSupportName = (name: string): boolean => lettersOf(name) === lettersOf(supportName)

const lettersOf = (name: string) =>
  lookalikes.reduce(
    (letters, [looks, like]) => letters.replace(looks, like),
    name
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}|]|\p{Default_Ignorable_Code_Point}/gu, '')
      .toLowerCase(),
  )
