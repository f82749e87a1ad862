import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { identity, signInClient } from '../../data/client.ts'
import { failureOf, fieldCodes } from '../../data/failure.ts'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { askedLanguage } from '../../words/choosing.ts'
import { language } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import { canUsePasskeys } from '../can-use-passkeys.ts'
import { Problem } from '../entrance.tsx'
import { firstAnswers } from '../kept-answers.ts'
import { useInstallation } from '../mail-way.ts'
import { NewPassword } from '../new-password.tsx'
import { isCanceled, passkeyProblem, signUpWithPasskey } from '../passkeys.ts'
import type { Invitation } from './page.tsx'

interface Props {
  token: string
  invitation: Invitation
  onRefused(error: unknown): void
}

/** For invited people without an account. Their language is the one that they chose, else that of the project or of the page. */
export function SignUpForm({ token, invitation, onRefused }: Props) {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const [answers, setAnswers] = useState(() => firstAnswers({ name: '', password: '' }))
  const { data: installation } = useInstallation()
  const signingUp = useMutation({
    mutationFn(way: 'password' | 'passkey') {
      // Without a choice of theirs, the project's.
      const chosen = askedLanguage() ?? (invitation.project_language === null ? language : null)
      const person = { token, name: answers.name, language: chosen }
      if (way === 'passkey') return signUpWithPasskey(person)
      return signInClient.call(`${identity}/invitations/sign-up`, { ...person, password: answers.password })
    },
    onSuccess({ project_id }) {
      cache.clear()
      navigate(`/p/${project_id}/home`, { replace: true })
    },
    onError(error) {
      if (failureOf(error).code.startsWith('invitation_')) onRefused(error)
    },
  })
  const { form, errors, codes } = useRefusedFields(signingUp.error, answers)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!signingUp.isPending) signingUp.mutate('password')
  }
  const isBusyWith = (way: string) => signingUp.isPending && signingUp.variables === way
  return (
    <form ref={form} onSubmit={submit} className="entrance-form" noValidate>
      {signingUp.error &&
        !isCanceled(signingUp.error) &&
        Object.keys(fieldCodes(signingUp.error)).length === 0 && (
          <Problem>{passkeyProblem(signingUp.error)}</Problem>
        )}
      <Field
        label={t('Your name')}
        name="name"
        autoComplete="name"
        autoFocus
        required
        maxLength={255}
        value={answers.name}
        error={codes['name'] && t('Enter your name.')}
        onChange={(event) => setAnswers({ ...answers, name: event.target.value })}
      />
      <Field label={t('Email')} type="email" autoComplete="username" readOnly value={invitation.email} />
      <NewPassword
        label={t('Password')}
        name="password"
        person={{ name: answers.name, email: invitation.email, projectName: invitation.project_name }}
        hint={t('At least 12 characters. Use an unusual phrase.')}
        value={answers.password}
        error={
          codes['password'] &&
          (codes['password'] === 'too_easy' ? errors['password'] : t('Use at least 12 characters.'))
        }
        onChange={(event) => setAnswers({ ...answers, password: event.target.value })}
      />
      <Button type="submit" look="primary" isBusy={isBusyWith('password')}>
        {t('Create account and join')}
      </Button>
      {canUsePasskeys(installation?.passkey_origin) && (
        <Button isBusy={isBusyWith('passkey')} onClick={() => signingUp.mutate('passkey')}>
          {t('Use a passkey instead of a password')}
        </Button>
      )}
    </form>
  )
}
