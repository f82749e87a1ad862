import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { identity } from '../../data/client.ts'
import { fieldCodes, fieldErrors, showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { dismissTopic, showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { NewPassword } from '../new-password.tsx'

/** Focuses the form if the person came by a “Change password” link. */
function useAsked(field: RefObject<HTMLInputElement | null>) {
  const [search, setSearch] = useSearchParams()
  const isAsked = search.get('change') === 'password'
  useEffect(() => {
    if (!isAsked) return
    field.current?.focus()
    field.current?.scrollIntoView({ block: 'center' })
    // Cleared, so that the link works again.
    setSearch({}, { replace: true })
  }, [isAsked, field, setSearch])
}

const topic = 'password change'
const empty = { current_password: '', new_password: '' }

export function Password() {
  const { id, client, me } = useProject()
  const cache = useQueryClient()
  const [passwords, setPasswords] = useState(empty)
  const current = useRef<HTMLInputElement>(null)
  const changing = useMutation({
    mutationFn: () => client.call(`${identity}/password/change`, passwords),
    onSuccess() {
      setPasswords(empty)
      dismissTopic(topic)
      showToast(t("Password changed. You're signed out elsewhere."))
      return cache.invalidateQueries({ queryKey: [id, `${identity}/sessions/list`] })
    },
    onError(error) {
      if (Object.keys(fieldErrors(error)).length === 0)
        showFailure(t('The password was not changed'), error, topic)
    },
  })
  useAsked(current)
  const { form, errors } = useRefusedFields(changing.error, passwords)
  const isShort = fieldCodes(changing.error)['new_password'] === 'too_short'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <section className="account-section" aria-labelledby="account-password">
      <h2 id="account-password">{t('Password')}</h2>
      <form ref={form} onSubmit={submit}>
        <Field
          ref={current}
          label={t('Current password')}
          type="password"
          autoComplete="current-password"
          required
          value={passwords.current_password}
          error={errors['current_password']}
          onChange={(event) => setPasswords({ ...passwords, current_password: event.target.value })}
        />
        <NewPassword
          label={t('New password')}
          person={{ ...me.user, projectName: me.current_project?.name ?? null }}
          hint={t("At least 12 characters. Use an unusual phrase. You'll be signed out elsewhere.")}
          value={passwords.new_password}
          error={
            errors['new_password'] && isShort ? t('Use at least 12 characters.') : errors['new_password']
          }
          onChange={(event) => setPasswords({ ...passwords, new_password: event.target.value })}
        />
        <Button type="submit" isBusy={changing.isPending}>
          {t('Change password')}
        </Button>
      </form>
    </section>
  )
}
