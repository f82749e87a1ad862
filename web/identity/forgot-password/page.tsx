import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { identity, signInClient } from '../../data/client.ts'
import { failureOf, fieldCodes } from '../../data/failure.ts'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { Ending } from '../ending.tsx'
import { Entrance, Hint, Problem } from '../entrance.tsx'
import { firstAnswers } from '../kept-answers.ts'
import { useInstallation } from '../mail-way.ts'
import { OutboxHint } from '../outbox-hint.tsx'

export default function ForgotPasswordPage() {
  return (
    <Entrance title={t('Forgot password')} heading={t('Reset your password')}>
      <ForgotPassword />
    </Entrance>
  )
}

function ForgotPassword() {
  const { data } = useInstallation()
  const [email, setEmail] = useState(() => firstAnswers({ email: '' }).email)
  const asking = useMutation({
    mutationFn: () => signInClient.call(`${identity}/password/request-reset`, { email }),
  })
  const { form, errors } = useRefusedFields(asking.error, { email })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!asking.isPending) asking.mutate()
  }
  if (data?.mail === 'none')
    return (
      <Ending
        title={t("Email isn't set up here")}
        action={<ButtonLink href="/sign-in">{t('Back to sign-in')}</ButtonLink>}
      >
        {t('Ask your administrator to set a new password for you.')}
      </Ending>
    )
  if (asking.isSuccess)
    return (
      <>
        <Ending
          title={t('Check your email')}
          action={<ButtonLink href="/sign-in">{t('Back to sign-in')}</ButtonLink>}
        >
          {rich(
            'If {email} has an account, a link to choose a new password is on its way. It works for 30 minutes.',
            { email: <strong dir="auto">{email}</strong> },
          )}
        </Ending>
        <OutboxHint way={data?.mail} />
      </>
    )
  return (
    <form ref={form} onSubmit={submit} className="entrance-form" noValidate>
      <Hint>{t("Enter your email address. We'll send you a link to choose a new password.")}</Hint>
      {asking.error && Object.keys(fieldCodes(asking.error)).length === 0 && (
        <Problem>{failureOf(asking.error).message}</Problem>
      )}
      <Field
        label={t('Email')}
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        required
        value={email}
        error={errors['email'] && t('Enter a valid email address.')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" look="primary" isBusy={asking.isPending}>
        {t('Send link')}
      </Button>
      <Link href="/sign-in" className="button button-quiet">
        {t('Back to sign-in')}
      </Link>
    </form>
  )
}
