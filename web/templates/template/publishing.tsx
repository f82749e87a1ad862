import { useState } from 'react'
import { admin } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FieldArea } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import type { MasterBoard } from '../types.ts'

/** The button that publishes the draft of a template, with its dialog. */
export function Publish({ board, refusal }: { board: MasterBoard; refusal: string | undefined }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button refusal={refusal} onClick={() => setOpen(true)}>
        {t('Publish…')}
      </Button>
      {isOpen && <PublishDialog board={board} onClose={() => setOpen(false)} />}
    </>
  )
}

function PublishDialog({ board, onClose }: { board: MasterBoard; onClose(): void }) {
  const note = useDraft(`note of a version of template ${board.id}`)
  const publishing = useWrite(`${admin}/master-boards/publish`, {
    failed: t('The version was not published'),
    done: (_input, { version }) => showToast(t('Published version {version}', { version: version.number })),
  })
  const close = () => {
    note.discard()
    onClose()
  }
  const submit = () => {
    publishing.mutate(
      { id: board.id, note: note.text?.trim() || null },
      {
        onSuccess() {
          note.clear()
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={t('Publish version {version}', { version: board.version + 1 })} onClose={close}>
      <Form isBusy={publishing.isPending} onSubmit={submit}>
        <p>
          {t(
            'New projects receive this version. Projects that have the template receive it with its next rollout.',
          )}
        </p>
        {board.version > 0 && <ChangeCount board={board} />}
        <FieldArea
          label={t('Note (optional)')}
          autoFocus
          rows={3}
          value={note.text ?? ''}
          hint={note.isFound ? t('Unsaved draft') : t('What changed, for the list of versions')}
          onChange={(event) => note.write(event.target.value)}
        />
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={publishing.isPending}>
            {t('Publish')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

function ChangeCount({ board }: { board: MasterBoard }) {
  const { data } = useRead(
    `${admin}/master-boards/versions/compare`,
    { board_id: board.id, from: board.version },
    { refetchOnMount: 'always' },
  )
  const count = data?.differences.length
  return (
    count !== undefined && (
      <p>
        {counted(
          count,
          {
            one: '{count} item differs from version {version}.',
            other: '{count} items differ from version {version}.',
          },
          { version: board.version },
        )}
      </p>
    )
  )
}
