import type { QueryClient } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { area, identity, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { keyOf, useRead } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { EditableText } from '../../drafts/editable-text.tsx'
import { sayingReplaced } from '../../drafts/replacing.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ColorButton } from '../../ui/color-field.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { IconPicker } from '../../ui/icon-field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import type { Board, Tag } from '../types.ts'
import './manage-tags.css'

/** A dialog to rename, recolor, deactivate and delete the project's tags. */
export default function ManageTags({ board, onClose }: { board: Board; onClose(): void }) {
  const refusal = useRefusal('work')
  const { updateTag, saveTag, deleteTag, restoreTag } = useTagWrites(board.id)
  const { data } = useRead(`${area}/tags/usage`)
  const usesOf = (id: number) =>
    data && (data.tags.find((tag) => tag.tag_id === id) ?? { cards_count: 0, boards_count: 0 })
  const [asking, setAsking] = useState<Pick<Tag, 'id' | 'name'>>()
  const remove = ({ id, name }: Pick<Tag, 'id' | 'name'>) => {
    const uses = usesOf(id)
    const words = uses?.cards_count
      ? t('Deleted “{title}” from {reach}', { title: name, reach: reachOf(uses) })
      : t('Deleted “{title}”', { title: name })
    // A refusal is already shown.
    deleteTag({ id }).then(
      () => showToast(words, () => restoreTag({ id })),
      () => {},
    )
  }
  return (
    <Dialog title={t('Project tags')} onClose={onClose}>
      {board.tags.length === 0 && (
        <p className="dialog-text">
          {t('No tags yet. To add one, type its name in the tag field of a card.')}
        </p>
      )}
      <ul className="tags" aria-label={t('Tags')}>
        {board.tags.map(({ id, name, color, icon, is_active: isActive, created_by: createdBy }) => (
          <li key={id} data-inactive={!isActive}>
            <ColorButton
              label={t('Color of the tag {name}', { name })}
              color={color}
              refusal={refusal}
              onChoose={(chosen) => updateTag({ id, color: chosen })}
            />
            <IconPicker
              label={t('Icon of the tag {name}', { name })}
              icon={icon}
              color={color}
              refusal={refusal}
              onChoose={(chosen) => updateTag({ id, icon: chosen })}
            />
            <span className="tags-name">
              <EditableText
                value={name}
                label={t('Rename the tag {name}', { name })}
                refusal={refusal}
                place={`name of tag ${id}`}
                onSave={sayingReplaced(name, (next) => saveTag({ id, name: next }))}
              />
              <small className="tags-meta numbers">
                <span>
                  {isActive ? reachOf(usesOf(id)) : t('Inactive, {reach}', { reach: reachOf(usesOf(id)) })}
                </span>
                <Author of={createdBy} />
              </small>
            </span>
            <IconButton
              label={
                isActive ? t('Deactivate the tag {name}', { name }) : t('Activate the tag {name}', { name })
              }
              icon={isActive ? <Archive /> : <ArchiveRestore />}
              refusal={refusal}
              onClick={() => updateTag({ id, is_active: !isActive })}
            />
            <IconButton
              label={t('Delete the tag {name}', { name })}
              icon={<Trash2 />}
              refusal={refusal}
              onClick={() => (usesOf(id)?.cards_count === 0 ? remove({ id, name }) : setAsking({ id, name }))}
            />
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
      {asking && (
        <Confirm
          title={t('Delete the tag “{name}”?', { name: asking.name })}
          action={t('Delete tag')}
          isDanger
          onConfirm={() => remove(asking)}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {data
              ? t('It is removed from {reach}.', { reach: reachOf(usesOf(asking.id)) })
              : t('It is removed from all cards that have it.')}
          </p>
          <p>{t('You can restore it from the trash for 30 days.')}</p>
        </Confirm>
      )}
    </Dialog>
  )
}

/** A member who created the tag; people who have left are not named. */
function Author({ of }: { of: number | null }) {
  const { data } = useRead(`${identity}/members/list`)
  const name = data?.members.find((member) => member.user_id === of)?.name
  return name && <span>{t('Created by {name}', { name })}</span>
}

/** How many cards on how many boards have it; empty until that is known. */
function reachOf(uses: { cards_count: number; boards_count: number } | undefined): string {
  if (!uses) return ''
  if (uses.cards_count === 0) return t('No cards')
  const boards = counted(uses.boards_count, { one: '{count} board', other: '{count} boards' })
  return counted(
    uses.cards_count,
    { one: '{count} card on {boards}', other: '{count} cards on {boards}' },
    { boards },
  )
}

function useTagWrites(boardId: number) {
  const { id: projectId } = useProject()
  const path = `${area}/boards/get` as const
  const onTags = (cache: QueryClient, change: (tags: Tag[]) => Tag[]) =>
    cache.setQueryData<Output<typeof path>>(
      keyOf(projectId, path, { id: boardId }),
      (read) => read && { board: { ...read.board, tags: change(read.board.tags) } },
    )
  const { mutate: updateTag, mutateAsync: saveTag } = useWrite(`${area}/tags/update`, {
    failed: t('The tag was not changed'),
    change: (cache, { id, ...fields }) =>
      onTags(cache, (tags) =>
        tags.map((tag) => (tag.id === id ? { ...tag, ...(fields as Partial<Tag>) } : tag)),
      ),
  })
  const { mutate: restoreTag } = useWrite(`${area}/tags/restore`, { failed: t('The tag was not restored') })
  const { mutateAsync: deleteTag } = useWrite(`${area}/tags/delete`, {
    failed: t('The tag was not deleted'),
    change: (cache, { id }) => onTags(cache, (tags) => tags.filter((tag) => tag.id !== id)),
  })
  return { updateTag, saveTag, deleteTag, restoreTag }
}
