import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { identity, signInClient } from '../../data/client.ts'
import { failureOf, fieldCodes } from '../../data/failure.ts'
import { Failed } from '../../data/reading.tsx'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { t } from '../../words/words.ts'
import { Ending } from '../ending.tsx'
import { Entrance, Problem } from '../entrance.tsx'
import { useLinkSecret } from '../link-secret.ts'
import { NewPassword } from '../new-password.tsx'

/** The page of the link in the mail for a forgotten password. */
export default function ResetPasswordPage() {
  const token = useLinkSecret()
  return (
    <Entrance title={t('Reset password')} heading={t('Choose a new password')}>
      <ResetPassword key={token} token={token} />
    </Entrance>
  )
}

const isUsedUp = (error: unknown) => failureOf(error).code === 'reset_link_not_found'

function ResetPassword({ token }: { token: string }) {
  const path = `${identity}/password/check-reset` as const
  const { data, error, refetch } = useQuery({
    queryKey: [0, path, token],
    queryFn: () => signInClient.call(path, { token }),
    enabled: token !== '',
  })
  if (token === '' || isUsedUp(error)) return <UsedUp />
  if (error)
    return <Failed what={t('The link could not be checked')} error={error} onRetry={() => void refetch()} />
  return data && <NewPasswordForm token={token} person={data} />
}

const UsedUp = () => (
  <Ending
    title={t("This link doesn't work")}
    action={<ButtonLink href="/forgot-password">{t('Send a new link')}</ButtonLink>}
  >
    {t('It was used before, is older than 30 minutes, or was not copied completely.')}
  </Ending>
)

function NewPasswordForm({ token, person }: { token: string; person: { email: string; name: string } }) {
  const cache = useQueryClient()
  const [password, setPassword] = useState('')
  const resetting = useMutation({
    mutationFn: () => signInClient.call(`${identity}/password/reset`, { token, new_password: password }),
    // The reset has ended the session in this browser, too.
    onSuccess: () => cache.removeQueries({ queryKey: [0, `${identity}/users/me`] }),
  })
  const { form, errors, codes } = useRefusedFields(resetting.error, { new_password: password })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!resetting.isPending) resetting.mutate()
  }
  if (isUsedUp(resetting.error)) return <UsedUp />
  if (resetting.isSuccess)
    return (
      <Ending title={t('Password changed')} action={<ButtonLink href="/sign-in">{t('Sign in')}</ButtonLink>}>
        {t("You're signed out everywhere. Sign in with your new password.")}
      </Ending>
    )
  return (
    <form ref={form} onSubmit={submit} className="entrance-form" noValidate>
      {resetting.error && Object.keys(fieldCodes(resetting.error)).length === 0 && (
        <Problem>{failureOf(resetting.error).message}</Problem>
      )}
      <Field label={t('Email')} type="email" autoComplete="username" readOnly value={person.email} />
      <NewPassword
        label={t('New password')}
        name="new_password"
        autoFocus
        person={person}
        hint={t("At least 12 characters. Use an unusual phrase. You'll be signed out elsewhere.")}
        value={password}
        error={
          errors['new_password'] &&
          (codes['new_password'] === 'too_easy' ? errors['new_password'] : t('Use at least 12 characters.'))
        }
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" look="primary" isBusy={resetting.isPending}>
        {t('Change password')}
      </Button>
    </form>
  )
}
