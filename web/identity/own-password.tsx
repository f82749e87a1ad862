import type { ReactNode } from 'react'
import { Field } from '../ui/field.tsx'
import { t } from '../words/words.ts'

interface Props {
  value: string
  error: string | undefined
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
    error={error}
    onChange={(event) => onChange(event.target.value)}
  />
)
