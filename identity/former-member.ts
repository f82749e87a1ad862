/** The name that an account has once its owner has closed it; the app says it in the language of the reader. */
export const formerMember = 'Former member'
