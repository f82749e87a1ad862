import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { identity } from '../../data/client.ts'
import { fieldCodes, fieldErrors, showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
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

const empty = { current_password: '', new_password: '' }

export function Password() {
  const { id, client, me } = useProject()
  const cache = useQueryClient()
  const [passwords, setPasswords] = useState(empty)
  const current = useRef<HTMLInputElement>(null)
  const wanted = useRef<HTMLInputElement>(null)
  const changing = useMutation({
    mutationFn: () => client.call(`${identity}/password/change`, passwords),
    onSuccess() {
      setPasswords(empty)
      showToast(t("Password changed. You're signed out elsewhere."))
      return cache.invalidateQueries({ queryKey: [id, `${identity}/sessions/list`] })
    },
    onError(error) {
      const wrong = fieldErrors(error)
      if (Object.keys(wrong).length === 0) return showFailure(t('The password was not changed'), error)
      const field = wrong['current_password'] === undefined ? wanted : current
      field.current?.focus()
    },
  })
  useAsked(current)
  const errors = fieldErrors(changing.error)
  const codes = fieldCodes(changing.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <section className="account-section" aria-labelledby="account-password">
      <h2 id="account-password">{t('Password')}</h2>
      <form onSubmit={submit}>
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
          ref={wanted}
          label={t('New password')}
          person={{ ...me.user, projectName: me.current_project?.name ?? null }}
          hint={t("At least 12 characters. Use an unusual phrase. You'll be signed out elsewhere.")}
          value={passwords.new_password}
          error={
            codes['new_password'] === 'too_easy'
              ? t('This is too easy to guess. Use an unusual phrase.')
              : errors['new_password']?.replace('field must be at least', 'must have at least')
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
