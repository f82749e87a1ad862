import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import './field.css'

interface Props extends InputHTMLAttributes<HTMLInputElement> {
  label: string
  /** What is wrong with it, in a sentence. */
  error?: string | undefined
  hint?: ReactNode
  ref?: Ref<HTMLInputElement>
}

export function Field({ label, error, hint, ...rest }: Props) {
  const id = useId()
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={described}
        className="input"
        {...rest}
      />
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
      {hint && !error && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}
