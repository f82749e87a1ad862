/** What a project reads instead of the name of a superadmin who is no member; the app says it in the language of the reader. */
export const supportName = 'Cardinal support'
