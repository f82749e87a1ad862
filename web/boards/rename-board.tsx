import { areAtFields } from '../data/at-fields.ts'
import { area } from '../data/client.ts'
import { useWrite } from '../data/write.ts'
import { useDraft } from '../drafts/drafts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { t } from '../words/words.ts'
import { TitleField } from './title-field.tsx'
import type { NamedBoard } from './types.ts'

/** A dialog to rename a board. */
export default function RenameBoard({ board, onClose }: { board: NamedBoard; onClose(): void }) {
  const draft = useDraft(`title of board ${board.id}`)
  const title = draft.text ?? board.title
  const renaming = useWrite(`${area}/boards/update`, {
    failed: t('The board was not renamed'),
    handles: areAtFields('title'),
  })
  const submit = () => {
    renaming.mutate(
      { id: board.id, title },
      {
        onSuccess() {
          draft.clear()
          onClose()
        },
      },
    )
  }
  const close = () => {
    draft.discard()
    onClose()
  }
  return (
    <Dialog title={t('Rename board')} onClose={close}>
      <Form isBusy={renaming.isPending} onSubmit={submit}>
        <TitleField
          title={title}
          hint={draft.isFound ? t('Unsaved draft') : undefined}
          error={renaming.error}
          onChange={draft.write}
        />
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={renaming.isPending}>
            {t('Rename')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
