import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { identity } from '../../data/client.ts'
import { fieldErrors, showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { dismissTopic, showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { ConfirmPassword, needsPassword } from '../confirm-password.tsx'

const topic = 'email change'

export function Email() {
  const { client } = useProject()
  const [email, setEmail] = useState('')
  const [isAskingPassword, setAskingPassword] = useState(false)
  const changing = useMutation({
    mutationFn: () => client.call(`${identity}/users/change-email`, { email }),
    onSuccess() {
      dismissTopic(topic)
      showToast(t('Open the link that we sent to {email}', { email }))
      setEmail('')
    },
    onError(error) {
      if (needsPassword(error)) setAskingPassword(true)
      else if (Object.keys(fieldErrors(error)).length === 0)
        showFailure(t('The email address was not changed'), error, topic)
    },
  })
  const { form, errors, codes } = useRefusedFields(changing.error, { email })
  const submit = () => {
    changing.mutate()
  }
  return (
    <section className="account-section" aria-labelledby="account-email">
      <h2 id="account-email">{t('Email')}</h2>
      <Form ref={form} isBusy={changing.isPending} onSubmit={submit} noValidate>
        <Field
          label={t('New email')}
          type="email"
          name="email"
          autoComplete="email"
          required
          hint={t('We send a link to the new address. Until you open it, nothing changes.')}
          value={email}
          error={
            codes['email'] === 'unchanged'
              ? errors['email']
              : codes['email'] && t('Enter a valid email address.')
          }
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" isBusy={changing.isPending}>
          {t('Change email')}
        </Button>
      </Form>
      {isAskingPassword && (
        <ConfirmPassword onClose={() => setAskingPassword(false)} onConfirmed={() => changing.mutate()} />
      )}
    </section>
  )
}
