import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { clientOf, identity } from '../data/client.ts'
import { failureOf, fieldErrors, showFailure } from '../data/failure.ts'
import { useRefusedFields } from '../data/refused-fields.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { dismissTopic, showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { canUsePasskeys } from './can-use-passkeys.ts'
import { useInstallation } from './mail-way.ts'
import { useMe } from './me.ts'
import { OwnPassword } from './own-password.tsx'
import { askForPasskey, isCanceled, passkeyProblem } from './passkeys.ts'
import { beginSingleSignOn } from './single-sign-on/beginning.ts'

/** True if the service wants to see the password again first. */
export const needsPassword = (error: unknown): boolean =>
  failureOf(error).code === 'password_confirmation_required'

const topic = 'password confirmation'

/** Asks for the password again, before an action that the service has refused without it. */
export function ConfirmPassword({ onClose, onConfirmed }: { onClose(): void; onConfirmed(): void }) {
  const { data: me } = useMe()
  const { data: installation } = useInstallation()
  const [password, setPassword] = useState('')
  const onSuccess = () => {
    dismissTopic(topic)
    onClose()
    onConfirmed()
  }
  const confirming = useMutation({
    mutationFn: () => clientOf().call(`${identity}/password/confirm`, { password }),
    onSuccess,
    onError(error) {
      if (fieldErrors(error)['password'] === undefined) showFailure(t('Nothing was changed'), error, topic)
    },
  })
  const byPasskey = useMutation({
    mutationFn: async () => {
      const assertion = await askForPasskey()
      await clientOf().call(`${identity}/passkeys/confirm`, { ...assertion })
    },
    onSuccess,
    onError(error) {
      if (isCanceled(error)) return
      if (error instanceof DOMException) showToast(passkeyProblem(error))
      else showFailure(t('Nothing was changed'), error, topic)
    },
  })
  const hasPasskey = useHasPasskey()
  const hasPassword = me?.user.has_password !== false
  const signOnAgain = () =>
    beginSingleSignOn(location.pathname).catch((error: unknown) =>
      showFailure(t('Nothing was changed'), error, topic),
    )
  const { form, errors } = useRefusedFields(confirming.error, { password })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate()
  }
  return (
    <Dialog title={hasPassword ? t('Confirm your password') : t("Confirm it's you")} onClose={onClose}>
      <form ref={form} onSubmit={submit}>
        {hasPassword ? (
          <>
            <p>{t('You signed in a while ago. Enter your password to continue.')}</p>
            <OwnPassword value={password} error={errors['password']} onChange={setPassword} />
          </>
        ) : (
          <p>
            {t('You signed in a while ago. Sign in again to continue, then repeat what you wanted to do.')}
          </p>
        )}
        {hasPasskey && (
          <Button look="quiet" isBusy={byPasskey.isPending} onClick={() => byPasskey.mutate()}>
            {t('Use a passkey')}
          </Button>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          {hasPassword ? (
            <Button type="submit" look="primary" isBusy={confirming.isPending}>
              {t('Continue')}
            </Button>
          ) : (
            installation?.single_sign_on && (
              <Button look="primary" onClick={() => void signOnAgain()}>
                {t('Continue with {provider}', { provider: installation.single_sign_on })}
              </Button>
            )
          )}
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Whether something was refused until the person has confirmed who they are; it is then asked for, and `again` follows. */
export type IsAskedBy = (error: unknown, again: () => void) => boolean

export function useConfirmation(): { isAskedBy: IsAskedBy; dialog: ReactNode } {
  const [refused, setRefused] = useState<() => void>()
  return {
    isAskedBy(error, again) {
      if (!needsPassword(error)) return false
      setRefused(() => again)
      return true
    },
    dialog: refused && <ConfirmPassword onClose={() => setRefused(undefined)} onConfirmed={refused} />,
  }
}

/** Whether the person could use one here. */
function useHasPasskey(): boolean {
  const { data: installation } = useInstallation()
  const path = `${identity}/passkeys/list` as const
  const { data } = useQuery({
    queryKey: [0, path],
    queryFn: () => clientOf().call(path),
    enabled: canUsePasskeys(installation?.passkey_origin),
  })
  return data !== undefined && data.passkeys.length > 0
}
