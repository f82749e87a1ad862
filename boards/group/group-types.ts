/** The types that the web app names; any other text may be one too. Groups of type done can close cards. */
export const groupTypes = ['todo', 'active', 'waiting', 'done'] as const
