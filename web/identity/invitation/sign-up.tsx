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
import { Problem } from '../entrance.tsx'
import { NewPassword } from '../new-password.tsx'
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
  const [answers, setAnswers] = useState({ name: '', password: '' })
  const signingUp = useMutation({
    mutationFn: () =>
      signInClient.call(`${identity}/invitations/sign-up`, {
        token,
        ...answers,
        // Without a choice of theirs, the project's.
        language: askedLanguage() ?? (invitation.project_language === null ? language : null),
      }),
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
    if (!signingUp.isPending) signingUp.mutate()
  }
  return (
    <form ref={form} onSubmit={submit} className="entrance-form" noValidate>
      {signingUp.error && Object.keys(fieldCodes(signingUp.error)).length === 0 && (
        <Problem>{failureOf(signingUp.error).message}</Problem>
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
      <Button type="submit" look="primary" isBusy={signingUp.isPending}>
        {t('Create account and join')}
      </Button>
    </form>
  )
}
