import { useLostConnection, useProject } from '../data/project.tsx'
import { useRefusal } from '../identity/permissions.ts'
import type { Card } from './types.ts'

/** Why the person cannot change a board, its groups or a card; undefined where they can. */
export function useRefusals() {
  const { me } = useProject()
  const refusal = useRefusal('work')
  const manageRefusal = useRefusal('manage')
  const anyRefusal = useRefusal('delete any card')
  const deleteRefusal = (card: Pick<Card, 'created_by'>) =>
    refusal ?? (card.created_by === me.user.id ? undefined : anyRefusal)
  return { refusal, manageRefusal, deleteRefusal, collapseRefusal: useLostConnection() }
}
