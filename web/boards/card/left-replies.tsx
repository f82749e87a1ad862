import { useMemo, useState } from 'react'
import { useProject } from '../../data/project.tsx'
import { draftsWithin, removeDrafts } from '../../drafts/left.ts'
import { LeftDraftList } from '../../drafts/left-drafts.tsx'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import type { Comment } from '../types.ts'

/** The person's drafts of replies to comments that are not shown, and of changes of them: they were deleted, or are older. */
export function LeftReplies({ cardId, comments }: { cardId: number; comments: readonly Comment[] }) {
  const { me } = useProject()
  const [changes, setChanges] = useState(0)
  const change = () => setChanges((count) => count + 1)
  const ids = comments.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts are looked up again after they are discarded.
  const left = useMemo(() => {
    const shown = new Set(ids.split(',').map(Number))
    return draftsWithin(me.user.id, `card ${cardId}`).filter(({ place }) => {
      const [, id] = /^(?:reply to|change of) comment (\d+)$/.exec(place) ?? []
      return id !== undefined && !shown.has(Number(id))
    })
  }, [me.user.id, cardId, ids, changes])
  if (left.length === 0) return null
  const discard = () => {
    const putBack = removeDrafts(left)
    change()
    showToast(t('Drafts discarded'), () => {
      putBack()
      change()
    })
  }
  return (
    <div className="comments-left">
      <LeftDraftList drafts={left} />
      <Button onClick={discard}>{t('Discard drafts')}</Button>
    </div>
  )
}
