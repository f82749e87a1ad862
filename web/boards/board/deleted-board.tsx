import { useProject } from '../../data/project.tsx'
import { LeftDrafts } from '../../drafts/left-drafts.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { Deleted } from '../trash/deleted.tsx'
import type { DeletedThing } from '../trash/restore.ts'

/** Shown instead of a deleted board. */
export default function DeletedBoard({ board }: { board: DeletedThing }) {
  const { base } = useProject()
  return (
    <>
      <Deleted thing={board} back={<ButtonLink href={`${base}/boards`}>{t('Back to boards')}</ButtonLink>} />
      <LeftDrafts of={`board ${board.thing_id}`} />
    </>
  )
}
