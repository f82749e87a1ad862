/** Someone does something to a template, or to one of its groups or cards. */
export interface Action {
  id: number
  actorId: number
}
