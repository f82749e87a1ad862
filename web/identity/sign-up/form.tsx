import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { identity, type Output, signInClient } from '../../data/client.ts'
import { failureOf, fieldCodes } from '../../data/failure.ts'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { language } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { Problem } from '../entrance.tsx'
import { firstAnswers } from '../kept-answers.ts'
import { NewPassword } from '../new-password.tsx'

interface Props {
  token: string
  link: Output<`${typeof identity}/sign-up/check`>
  onRefused(error: unknown): void
}

/** The account and the first project of somebody whose address is confirmed. */
export function NewAccountForm({ token, link: { email, products, trial_days: days }, onRefused }: Props) {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const [answers, setAnswers] = useState(() => firstAnswers({ name: '', password: '', project_name: '' }))
  const [product, setProduct] = useState(products[0]?.key ?? null)
  const signingUp = useMutation({
    mutationFn: () =>
      signInClient.call(`${identity}/sign-up/complete`, {
        ...{ token, ...answers, product, language },
        time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      }),
    onSuccess({ project_id }) {
      cache.clear()
      navigate(`/p/${project_id}/home`, { replace: true })
    },
    onError(error) {
      if (['sign_up_link_not_found', 'sign_up_off', 'account_exists'].includes(failureOf(error).code))
        onRefused(error)
    },
  })
  const { form, errors, codes } = useRefusedFields(signingUp.error, answers)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!signingUp.isPending) signingUp.mutate()
  }
  /** The props that every field shares. */
  const field = (name: keyof typeof answers) => ({
    name,
    value: answers[name],
    onChange: (event: { target: HTMLInputElement }) => setAnswers({ ...answers, [name]: event.target.value }),
  })
  return (
    <form ref={form} onSubmit={submit} className="entrance-form" noValidate>
      {signingUp.error && Object.keys(fieldCodes(signingUp.error)).length === 0 && (
        <Problem>{failureOf(signingUp.error).message}</Problem>
      )}
      <Field
        label={t('Your name')}
        autoComplete="name"
        autoFocus
        required
        maxLength={255}
        error={codes['name'] && t('Enter your name.')}
        {...field('name')}
      />
      <Field label={t('Email')} type="email" autoComplete="username" readOnly value={email} />
      <NewPassword
        label={t('Password')}
        person={{ name: answers.name, email, projectName: answers.project_name }}
        hint={t('At least 12 characters. Use an unusual phrase.')}
        error={
          codes['password'] &&
          (codes['password'] === 'too_easy' ? errors['password'] : t('Use at least 12 characters.'))
        }
        {...field('password')}
      />
      <Field
        label={t('Project name')}
        hint={t('The name of your company or team. You can change it later.')}
        required
        maxLength={255}
        error={codes['project_name'] && t('Enter a project name.')}
        {...field('project_name')}
      />
      {product !== null && (
        <FieldSelect
          label={t('Product')}
          hint={counted(days, {
            one: 'You can try it for {count} day. No payment details needed.',
            other: 'You can try it for {count} days. No payment details needed.',
          })}
          value={product}
          onChange={(event) => setProduct(event.target.value)}
        >
          {products.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </FieldSelect>
      )}
      <Button type="submit" look="primary" isBusy={signingUp.isPending}>
        {t('Create account')}
      </Button>
    </form>
  )
}
