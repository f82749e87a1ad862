import { type FormEvent, useState } from 'react'
import { themes } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { dateAt, midnight } from '../../ui/days.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

interface Props {
  campaign: { version_id: number; deadline: string }
  name: string
  onClose(): void
}

/** Gives a campaign more or less time. */
export function MoveDeadline({ campaign: { version_id, deadline: before }, name, onClose }: Props) {
  const [deadline, setDeadline] = useState(before.slice(0, 10))
  const moving = useWrite(`${themes}/campaigns/update`, { failed: t('The deadline was not changed') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    moving.mutate(
      { version_id, deadline },
      {
        onSuccess() {
          showToast(t('Deadline changed'))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={t('Deadline of {name}', { name })} onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label={t('Deadline')}
          type="date"
          autoFocus
          required
          hint={t('The cards of the projects that still use it get this due date.')}
          error={fieldErrors(moving.error)['deadline']}
          min={dateAt(midnight(1))}
          value={deadline}
          onChange={(event) => setDeadline(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={moving.isPending}>
            {t('Change deadline')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
