/** An event as listeners receive it. */
export interface LiveEvent {
  id: number
  /** Null if it concerns every board of the project. */
  board_id: number | null
  card_id: number | null
  actor_id: number | null
  kind: string
  data: unknown
  created_at: string
}
