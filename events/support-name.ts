/** What a project reads instead of the name of a superadmin who is no member; the app says it in the language of the reader. */
export const supportName = 'Cardinal support'

/** Whether people would read a name as that of the support, whatever its case, spaces, hyphens and invisible characters. */
export const isSupportName = (name: string): boolean => lettersOf(name) === lettersOf(supportName)

const lettersOf = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
