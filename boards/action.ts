/** The person who acts, and the thing in a project. */
export interface Action {
  projectId: number
  id: number
  actorId: number
}
