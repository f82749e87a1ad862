import type { ReactNode } from 'react'
import { fieldErrors } from '../data/failure.ts'
import { Field } from '../ui/field.tsx'
import { t } from '../words/words.ts'

interface Props {
  value: string
  /** Of the call that the password was sent with. */
  error: unknown
  onChange(password: string): void
}

/** The password of the person who is signed in, asked for again before something important. */
export const OwnPassword = ({ value, error, onChange }: Props): ReactNode => (
  <Field
    label={t('Your password')}
    type="password"
    autoComplete="current-password"
    autoFocus
    required
    value={value}
    error={fieldErrors(error)['password']}
    onChange={(event) => onChange(event.target.value)}
  />
)
