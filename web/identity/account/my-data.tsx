import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { clientOf, identity } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { t } from '../../words/words.ts'
import { ConfirmPassword, needsPassword } from '../confirm-password.tsx'

/** The export of one's own data, and the end of the account. */
export function MyData() {
  return (
    <section className="account-section" aria-labelledby="account-data">
      <h2 id="account-data">{t('My data')}</h2>
      <p>
        {t(
          'A JSON file with your account, sessions and audit log, and with the cards and comments that you wrote.',
        )}
      </p>
      <p>
        <a className="button button-secondary" href="/my-data" download="my-data.json">
          {t('Download my data')}
        </a>
      </p>
    </section>
  )
}

/** `email` is the address of the account, which the person types to confirm. */
export function CloseAccount({ email, refusal }: { email: string; refusal?: string | undefined }) {
  const [isAsking, setAsking] = useState(false)
  const [isAskingPassword, setAskingPassword] = useState(false)
  const closing = useMutation({
    mutationFn: () => clientOf().call(`${identity}/users/close`),
    onSuccess: () => location.assign('/sign-in'),
    onError(error) {
      if (needsPassword(error)) setAskingPassword(true)
      else showFailure(t('Your account was not closed'), error)
    },
  })
  return (
    <section className="account-section" aria-labelledby="account-close">
      <h2 id="account-close">{t('Close account')}</h2>
      <p>
        {t(
          'Comments and cards that you wrote stay in their projects, as those of a former member. Your cards become unassigned, you are signed out everywhere, and your email address can be used for a new account. If you are the last owner of a project, transfer the ownership or delete it first.',
        )}
      </p>
      <p>
        <Button look="danger" refusal={refusal} isBusy={closing.isPending} onClick={() => setAsking(true)}>
          {t('Close account…')}
        </Button>
      </p>
      {isAsking && (
        <Confirm
          title={t('Close account')}
          action={t('Close account')}
          isDanger
          typed={email}
          onClose={() => setAsking(false)}
          onConfirm={() => closing.mutate()}
        >
          <p>{t("This can't be undone. Download your data first if you want to keep it.")}</p>
        </Confirm>
      )}
      {isAskingPassword && (
        <ConfirmPassword onClose={() => setAskingPassword(false)} onConfirmed={() => closing.mutate()} />
      )}
    </section>
  )
}
