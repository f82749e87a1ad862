/** The person who acts, and the project. */
export interface Actor {
  projectId: number
  actorId: number
}

/** The same with the thing in the project. */
export interface Action extends Actor {
  id: number
}
