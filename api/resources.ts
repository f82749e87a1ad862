/** What each folder of operations is about, for the reference. */
export const resources = {
  authenticate: 'Signing in',
  'identity/password': "The caller's password",
  'identity/sessions': 'Where the caller is signed in',
  'identity/users': 'Who is calling',
} as const
