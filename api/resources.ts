/** What each folder of operations is about, for the reference. */
export const resources = {
  authenticate: 'Signing in',
  'identity/password': "The caller's password",
  'identity/second-factor': 'A second factor for the caller’s sign-in',
  'identity/sessions': 'Where the caller is signed in',
  'identity/users': 'Who is calling',
  'operations/operations/activity': 'Who changed what',
  'operations/operations/boards': 'Boards of a project',
  'operations/operations/cards': 'Cards in the groups of a board',
  'operations/operations/comments': 'Comments on cards, and who has read them',
  'operations/operations/groups': 'Groups: the columns of a board',
  'operations/operations/tags': 'Tags for the cards of a project',
  'operations/operations/tour/cards': 'The tour: cards that introduce the product',
  'platforms/plans': 'What can be subscribed to, and for how much',
  'platforms/subscriptions': 'Subscriptions of a project: trials, payment, cancelling',
} as const
