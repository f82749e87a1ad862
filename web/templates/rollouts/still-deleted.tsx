import { Link } from 'wouter'
import { admin } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { rich } from '../../words/rich.tsx'
import type { Rollout } from './types.ts'

/** Says of a deletion that is reverted that the template does not get the card back, unless it has it again. */
export function StillDeleted({ rollout: { kind, board_id, card_id } }: { rollout: Rollout }) {
  const { base } = useProject()
  const { data } = useRead(`${admin}/master-boards/get`, { id: board_id }, { enabled: kind === 'removal' })
  const cards = data?.board.groups.flatMap((group) => group.cards)
  if (!cards || cards.some(({ id }) => id === card_id)) return null
  return rich(
    "The card stays deleted in the template, so new projects don't get it. <a>Restore it there</a> if they should.",
    { a: (text) => <Link href={`${base}/templates/${board_id}/cards/${card_id}`}>{text}</Link> },
  )
}
