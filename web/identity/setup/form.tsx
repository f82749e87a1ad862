import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { type Input, identity, signInClient } from '../../data/client.ts'
import { failureOf, fieldCodes } from '../../data/failure.ts'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { t } from '../../words/words.ts'
import { Problem } from '../entrance.tsx'
import { firstAnswers } from '../kept-answers.ts'
import { NewPassword } from '../new-password.tsx'

type Answers = Omit<Input<`${typeof identity}/setup/complete`>, 'token' | 'project_name'> & {
  project_name: string
}

const empty = { name: '', email: '', password: '', project_name: '' }

export function SetupForm({ token, onRefused }: { token: string; onRefused(error: unknown): void }) {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const [answers, setAnswers] = useState(() => firstAnswers(empty))
  const [isShown, setShown] = useState(false)
  const completing = useMutation({
    mutationFn: () => signInClient.call(`${identity}/setup/complete`, { token, ...answers }),
    onSuccess() {
      cache.clear()
      // Superadmins need it, so it is the next step.
      navigate('/two-factor', { replace: true })
    },
    onError(error) {
      if (['already_set_up', 'setup_link_not_found'].includes(failureOf(error).code)) onRefused(error)
    },
  })
  const { form, errors, codes } = useRefusedFields(completing.error, answers)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!completing.isPending) completing.mutate()
  }
  /** The props that every field shares. */
  const field = (name: keyof Answers) => ({
    name,
    value: answers[name],
    error: codes[name] && wordsFor(name, codes[name], errors[name]),
    onChange: (event: { target: HTMLInputElement }) => setAnswers({ ...answers, [name]: event.target.value }),
  })
  return (
    <form ref={form} onSubmit={submit} className="entrance-form" noValidate>
      <p className="setup-intro">
        {t('Create the first superadmin account. It can see and change every project.')}
      </p>
      {completing.error && Object.keys(fieldCodes(completing.error)).length === 0 && (
        <Problem>{failureOf(completing.error).message}</Problem>
      )}
      <Field label={t('Name')} autoComplete="name" autoFocus required maxLength={255} {...field('name')} />
      <Field label={t('Email')} type="email" autoComplete="username" required {...field('email')} />
      <div className="setup-password">
        <NewPassword
          label={t('Password')}
          type={isShown ? 'text' : 'password'}
          person={{ ...answers, projectName: answers.project_name }}
          hint={t('At least 12 characters. Use an unusual phrase.')}
          {...field('password')}
        />
        <Button
          look="quiet"
          aria-label={isShown ? t('Hide password') : t('Show password')}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? t('Hide') : t('Show')}
        </Button>
      </div>
      <Field
        label={t('First project (optional)')}
        hint={t("A project is one customer's workspace. You can also create it later.")}
        maxLength={255}
        {...field('project_name')}
      />
      <Button type="submit" look="primary" isBusy={completing.isPending}>
        {t('Create account')}
      </Button>
    </form>
  )
}

/** A message for a refused field. */
function wordsFor(name: keyof Answers, code: string, message: string | undefined): string | undefined {
  if (code === 'too_easy') return message
  return code === 'too_long' ? t('This is too long.') : sentences[name]
}

const sentences: Answers = {
  name: t('Enter your name.'),
  email: t('Enter a valid email address.'),
  password: t('Use at least 12 characters.'),
  project_name: t('Enter a name without special characters.'),
}
