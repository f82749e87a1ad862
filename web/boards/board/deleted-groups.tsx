import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useProject } from '../../data/project.tsx'
import { Failed } from '../../data/reading.tsx'
import { draftsWithin, type LeftDraft, removeDrafts } from '../../drafts/left.ts'
import { LeftDraftList } from '../../drafts/left-drafts.tsx'
import { Button } from '../../ui/button.tsx'
import { hasLostField } from '../../ui/keep-focus.ts'
import { Empty } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { Deleted } from '../trash/deleted.tsx'
import { useTrashed } from '../trash/use-trashed.ts'
import type { Board } from '../types.ts'
import { useBoard } from './context.tsx'
import './deleted-groups.css'

/** Columns for deleted groups in which the person has drafts. */
export function DeletedGroups({ board: { id, groups } }: { board: Board }) {
  const { me } = useProject()
  const { scroller } = useBoard()
  const [changes, setChanges] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: drafts are looked up again after they are discarded.
  const left = useMemo(() => {
    const present = new Set(groups.map((group) => group.id))
    const drafts = draftsWithin(me.user.id, `board ${id}`)
    return [...Map.groupBy(drafts, groupOf)].flatMap(([groupId, own]) =>
      groupId === undefined || present.has(groupId) ? [] : [{ groupId, own }],
    )
  }, [me.user.id, id, groups, changes])
  const change = () => setChanges((count) => count + 1)
  if (!scroller.current) return null
  return createPortal(
    left.map(({ groupId, own }) => (
      <DeletedGroup
        key={groupId}
        id={groupId}
        drafts={own}
        onDiscard={() => {
          const putBack = removeDrafts(own)
          change()
          showToast(t('Drafts discarded'), () => {
            putBack()
            change()
          })
        }}
      />
    )),
    scroller.current,
  )
}

/** The group of a draft such as `new card in group 5 of board 2`. */
function groupOf({ place }: LeftDraft): number | undefined {
  const [, id] = / group (\d+)/.exec(place) ?? []
  return id === undefined ? undefined : Number(id)
}

interface Props {
  id: number
  drafts: readonly LeftDraft[]
  onDiscard(): void
}

function DeletedGroup({ id, drafts, onDiscard }: Props) {
  const { thing, isAsking, failed } = useTrashed('group', id, true)
  const section = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    if (!hasLostField()) return
    section.current?.focus()
    // Taking the focus scrolls nothing if an edge of it is in view.
    section.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [])
  const discard = <Button onClick={onDiscard}>{t('Discard drafts')}</Button>
  return (
    <section
      ref={section}
      className="deleted-group slim-scroll"
      aria-label={thing?.title ?? t('Deleted group')}
      tabIndex={-1}
    >
      {thing && <Deleted thing={thing} back={discard} />}
      {failed && (
        <Failed
          what={t('The group could not be opened')}
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      )}
      {!thing && !isAsking && !failed && (
        <Empty title={t("This group isn't on the board")} action={discard} />
      )}
      <LeftDraftList drafts={drafts} />
    </section>
  )
}
