import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { area } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { dates } from '../../ui/date/date-words.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Empty } from '../../ui/states.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { useBoards } from '../board-list.ts'
import { due } from '../card/moment.tsx'
import { PlaceFields } from '../place-dialog.tsx'

interface Props {
  boardId?: number
  /** The day on which it is due. */
  dueOn?: string
  /** Called once it has the focus. */
  onShown?(): void
  onClose(): void
}

/** A new card from any page. */
export default function NewCard({ boardId, dueOn, onShown, onClose }: Props) {
  const query = useBoards()
  return (
    <Dialog title={t('New card')} onClose={onClose}>
      <Reading query={query} failed={t('The boards could not be loaded')}>
        {({ boards }) =>
          boards[0] ? (
            <NewCardForm
              boardId={boardId ?? boards[0].id}
              dueOn={dueOn}
              onShown={onShown}
              onClose={onClose}
            />
          ) : (
            <Empty title={t('No boards yet')}>{t('Create a board first.')}</Empty>
          )
        }
      </Reading>
    </Dialog>
  )
}

interface FormProps {
  boardId: number
  dueOn: string | undefined
  onShown: Props['onShown']
  onClose(): void
}

function NewCardForm({ boardId: firstId, dueOn, onShown, onClose }: FormProps) {
  const { id: projectId, base } = useProject()
  const [, navigate] = useLocation()
  const [boardId, setBoardId] = useState(firstId)
  const [groupId, setGroupId] = useState<number>()
  const { data } = useRead(`${area}/boards/get`, { id: boardId })
  const chosen = groupId ?? data?.board.groups[0]?.id
  const draft = useDraft(`new card of project ${projectId}`)
  useEffect(() => onShown?.(), [onShown])
  const { mutate: remove } = useWrite(`${area}/cards/delete`, { failed: t('The card was not deleted') })
  const { mutate: create, isPending } = useWrite(`${area}/cards/create`, {
    failed: t('The card was not created'),
    done: (_input, { card }) => {
      draft.clear()
      onClose()
      showToast(t('Added “{title}”', { title: card.title }), () => remove({ id: card.id }), {
        show: () => navigate(`${base}/boards/${boardId}/cards/${card.id}`),
      })
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const title = draft.text?.trim() ?? ''
        if (title !== '' && chosen !== undefined)
          create({ title, group_id: chosen, ...(dueOn !== undefined && due.write({ date: dueOn })) })
      }}
    >
      <Field
        label={t('Title')}
        autoFocus
        required
        dir="auto"
        value={draft.text ?? ''}
        onChange={({ target }) => draft.write(target.value)}
      />
      {dueOn !== undefined && (
        <p className="numbers">{t('Due {time}', { time: dates.full({ date: dueOn }) })}</p>
      )}
      <PlaceFields
        boardId={boardId}
        groupId={chosen}
        onChange={(board, group) => {
          setBoardId(board)
          setGroupId(group?.id)
        }}
      />
      <DialogActions>
        <Button look="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
        <Button
          type="submit"
          look="primary"
          isBusy={isPending}
          refusal={chosen === undefined ? t('Choose a group.') : undefined}
        >
          {t('Add card')}
        </Button>
      </DialogActions>
    </form>
  )
}
