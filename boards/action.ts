/** Who acts on which thing of a project. */
export interface Action {
  projectId: number
  id: number
  actorId: number
}
