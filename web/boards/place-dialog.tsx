import { useState } from 'react'
import { area } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FieldSelect } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import { useBoards } from './board-list.ts'
import type { Board, Group } from './types.ts'

interface PlaceProps {
  boardId: number
  groupId: number | undefined
  onChange(boardId: number, group: Group | undefined): void
}

/** A board and a group of it; the first group if none is chosen. */
export function PlaceFields({ boardId, groupId, onChange }: PlaceProps) {
  const { data: list } = useBoards()
  const { data: read } = useRead(`${area}/boards/get`, { id: boardId })
  const groups = read?.board.groups ?? []
  return (
    <>
      <FieldSelect
        label={t('Board')}
        value={boardId}
        onChange={({ target }) => onChange(Number(target.value), undefined)}
      >
        {(list?.boards ?? []).map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </FieldSelect>
      <FieldSelect
        label={t('Group')}
        value={groupId ?? groups[0]?.id ?? ''}
        error={read && groups.length === 0 ? t('This board has no groups yet.') : undefined}
        onChange={({ target }) =>
          onChange(
            boardId,
            groups.find(({ id }) => id === Number(target.value)),
          )
        }
      >
        {groups.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </FieldSelect>
    </>
  )
}

interface Props {
  title: string
  /** The verb of its button. */
  action: string
  /** The board that the cards are on; another one is chosen at first. */
  boardId: number
  onChoose(group: Group, board: Board): void
  onClose(): void
}

/** Chooses where cards are moved or copied to. */
export function PlaceDialog({ title, action, boardId, onChoose, onClose }: Props) {
  const { data: list } = useBoards()
  const [chosen, setChosen] = useState<{ boardId: number; group: Group | undefined }>()
  const placeId = chosen?.boardId ?? list?.boards.find(({ id }) => id !== boardId)?.id ?? boardId
  const { data } = useRead(`${area}/boards/get`, { id: placeId })
  const group = chosen?.group ?? data?.board.groups[0]
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!group || !data) return
          onClose()
          onChoose(group, data.board)
        }}
      >
        <PlaceFields
          boardId={placeId}
          groupId={group?.id}
          onChange={(boardId, group) => setChosen({ boardId, group })}
        />
        <DialogActions>
          <Button look="quiet" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" look="primary" refusal={group ? undefined : t('Choose a group.')}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
