import { useMutation, useQueryClient } from '@tanstack/react-query'
import { identity, signInClient } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { Ending } from '../ending.tsx'
import { Entrance, Hint, Problem } from '../entrance.tsx'
import { useLinkSecret } from '../link-secret.ts'

/** The page of the link that was sent to a new address. A click confirms it, because programs that check mails open links too. */
export default function ConfirmEmailPage() {
  const token = useLinkSecret()
  return (
    <Entrance title={t('Confirm email')} heading={t('Confirm your email address')}>
      <ConfirmEmail key={token} token={token} />
    </Entrance>
  )
}

function ConfirmEmail({ token }: { token: string }) {
  const cache = useQueryClient()
  const confirming = useMutation({
    mutationFn: () => signInClient.call(`${identity}/users/confirm-email`, { token }),
    onSuccess: () => cache.clear(),
  })
  if (token === '' || failureOf(confirming.error).code === 'email_link_not_found')
    return (
      <Ending
        title={t("This link doesn't work")}
        action={<ButtonLink href="/">{t('Open Cardinal')}</ButtonLink>}
      >
        {t('It was used before, is older than 24 hours, or was not copied completely.')}
      </Ending>
    )
  if (confirming.data)
    return (
      <Ending title={t('Address confirmed')} action={<ButtonLink href="/">{t('Open Cardinal')}</ButtonLink>}>
        {rich('Sign in with {email} from now on.', {
          email: <strong dir="auto">{confirming.data.email}</strong>,
        })}
      </Ending>
    )
  return (
    <div className="entrance-form">
      <Hint>{t('Confirm that you want to use this address for your account from now on.')}</Hint>
      {confirming.error && <Problem>{failureOf(confirming.error).message}</Problem>}
      <Button look="primary" isBusy={confirming.isPending} onClick={() => confirming.mutate()}>
        {t('Confirm address')}
      </Button>
    </div>
  )
}
