import { type FormEvent, useState } from 'react'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FieldSelect } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { useCardActions } from '../card/card-actions.ts'
import { TitleField } from '../title-field.tsx'
import type { Board } from '../types.ts'

/** Adds a card where no group is at hand, as in the table and the calendar. */
export default function AddCard({ board, onClose }: { board: Board; onClose(): void }) {
  const { create } = useCardActions(board.id)
  const [groupId, setGroupId] = useState(board.groups[0]?.id as number)
  const draft = useDraft(`new card in board ${board.id}`)
  const title = draft.text ?? ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = title.trim()
    if (wanted === '') return
    draft.clear()
    onClose()
    create(groupId, wanted).then(
      () => showToast(t('Added “{title}”', { title: wanted })),
      () => draft.refuse(wanted),
    )
  }
  const close = () => {
    draft.discard()
    onClose()
  }
  return (
    <Dialog title={t('New card')} onClose={close}>
      <form onSubmit={submit}>
        <TitleField
          title={title}
          hint={draft.isFound ? t('Unsaved draft') : undefined}
          error={undefined}
          onChange={draft.write}
        />
        <FieldSelect
          label={t('Group')}
          value={groupId}
          onChange={(event) => setGroupId(Number(event.target.value))}
        >
          {board.groups.map(({ id, title: group }) => (
            <option key={id} value={id}>
              {group}
            </option>
          ))}
        </FieldSelect>
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary">
            {t('Add card')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
