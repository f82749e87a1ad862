import type { QueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { area, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { keyOf } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { EditableText } from '../../drafts/editable-text.tsx'
import { useRefusal } from '../../identity/permissions.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ColorButton } from '../../ui/color-field.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { counted } from '../../ui/counted.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import type { Board, Tag } from '../types.ts'
import './manage-tags.css'

/** The tags of the project, each renamed, recoloured and deleted where it stands. */
export function ManageTags({ board, onClose }: { board: Board; onClose(): void }) {
  const refusal = useRefusal('work')
  const { updateTag, saveTag, deleteTag } = useTagWrites(board.id)
  const [doomed, setDoomed] = useState<Tag>()
  return (
    <>
      <Dialog title="Tags of the project" onClose={onClose}>
        {board.tags.length === 0 && (
          <p className="dialog-text">
            No tags yet. A new one is made by typing its name as the tag of a card.
          </p>
        )}
        <ul className="tags" aria-label="Tags">
          {board.tags.map(({ id, name, color }) => (
            <li key={id}>
              <ColorButton
                label={`Colour of the tag ${name}`}
                color={color}
                refusal={refusal}
                onChoose={(chosen) => updateTag({ id, color: chosen })}
              />
              <span className="tags-name">
                <EditableText
                  value={name}
                  label={`Rename the tag ${name}`}
                  refusal={refusal}
                  place={`name of tag ${id}`}
                  onSave={(next) => saveTag({ id, name: next })}
                />
              </span>
              <span className="tags-count numbers">{counted(countOf(board, id), 'card')} here</span>
              <IconButton
                label={`Delete the tag ${name}`}
                icon={<Trash2 />}
                refusal={refusal}
                onClick={() => setDoomed(board.tags.find((tag) => tag.id === id))}
              />
            </li>
          ))}
        </ul>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
      {doomed && (
        <Confirm
          title={`Delete the tag ${doomed.name}`}
          action="Delete tag"
          isDanger
          onClose={() => setDoomed(undefined)}
          onConfirm={() => deleteTag({ id: doomed.id })}
        >
          <p>
            The cards that have it, {countOf(board, doomed.id)} of them on this board, lose it and keep
            everything else. It cannot be brought back.
          </p>
        </Confirm>
      )}
    </>
  )
}

const countOf = ({ groups }: Board, tagId: number) =>
  groups.flatMap(({ cards }) => cards).filter(({ tag_id }) => tag_id === tagId).length

function useTagWrites(boardId: number) {
  const { id: projectId } = useProject()
  const path = `${area}/boards/get` as const
  const onTags = (cache: QueryClient, change: (tags: Tag[]) => Tag[]) =>
    cache.setQueryData<Output<typeof path>>(
      keyOf(projectId, path, { id: boardId }),
      (read) => read && { board: { ...read.board, tags: change(read.board.tags) } },
    )
  const { mutate: updateTag, mutateAsync: saveTag } = useWrite(`${area}/tags/update`, {
    failed: 'The tag was not changed',
    change: (cache, { id, ...fields }) =>
      onTags(cache, (tags) =>
        tags.map((tag) => (tag.id === id ? { ...tag, ...(fields as Partial<Tag>) } : tag)),
      ),
  })
  const { mutate: deleteTag } = useWrite(`${area}/tags/delete`, {
    failed: 'The tag was not deleted',
    change: (cache, { id }) => onTags(cache, (tags) => tags.filter((tag) => tag.id !== id)),
  })
  return { updateTag, saveTag, deleteTag }
}
