import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { clientOf, identity } from '../data/client.ts'
import { failureOf, fieldErrors, showFailure } from '../data/failure.ts'
import { useRefusedFields } from '../data/refused-fields.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { dismissTopic } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { OwnPassword } from './own-password.tsx'

/** True if the service wants to see the password again first. */
export const needsPassword = (error: unknown): boolean =>
  failureOf(error).code === 'password_confirmation_required'

const topic = 'password confirmation'

/** Asks for the password again, before an action that the service has refused without it. */
export function ConfirmPassword({ onClose, onConfirmed }: { onClose(): void; onConfirmed(): void }) {
  const [password, setPassword] = useState('')
  const confirming = useMutation({
    mutationFn: () => clientOf().call(`${identity}/password/confirm`, { password }),
    onSuccess() {
      dismissTopic(topic)
      onClose()
      onConfirmed()
    },
    onError(error) {
      if (fieldErrors(error)['password'] === undefined) showFailure(t('Nothing was changed'), error, topic)
    },
  })
  const { form, errors } = useRefusedFields(confirming.error, { password })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate()
  }
  return (
    <Dialog title={t('Confirm your password')} onClose={onClose}>
      <form ref={form} onSubmit={submit}>
        <p>{t('You signed in a while ago. Enter your password to continue.')}</p>
        <OwnPassword value={password} error={errors['password']} onChange={setPassword} />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={confirming.isPending}>
            {t('Continue')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
