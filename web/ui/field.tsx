import {
  type FormEvent,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  use,
  useId,
} from 'react'
import { t } from '../words/words.ts'
import { Sent } from './sent.ts'
import './field.css'

interface Texts {
  label: string
  /** The error message. */
  error?: string | undefined
  hint?: ReactNode
}

type Props = Texts & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

export function Field({ label, error, hint, ...rest }: Props) {
  const typing = useTyping()
  return (
    <Labeled label={label} error={error} hint={hint}>
      {(control) => <input {...typing} {...control} {...rest} />}
    </Labeled>
  )
}

/** A labeled field with several lines. */
export function FieldArea({
  label,
  error,
  hint,
  ...rest
}: Texts & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const typing = useTyping()
  return (
    <Labeled label={label} error={error} hint={hint}>
      {(control) => <textarea {...typing} {...control} {...rest} />}
    </Labeled>
  )
}

/** A labeled select; its children are the options. */
export const FieldSelect = ({
  label,
  error,
  hint,
  ...rest
}: Texts & SelectHTMLAttributes<HTMLSelectElement>) => (
  <Labeled label={label} error={error} hint={hint}>
    {(control) => <select {...control} {...rest} />}
  </Labeled>
)

type Input = HTMLInputElement | HTMLTextAreaElement

/** An empty required field is reported in the language of the app; the browser would use its own. */
const missing = {
  onInvalid({ currentTarget: input }: FormEvent<Input>) {
    if (input.validity.valueMissing) input.setCustomValidity(t('Fill in this field.'))
  },
  onInput: ({ currentTarget: input }: FormEvent<Input>) => input.setCustomValidity(''),
}

/** Nothing is typed into a form that is on its way. */
const useTyping = () => ({ readOnly: use(Sent), ...missing })

interface Control {
  id: string
  className: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

function Labeled({ label, error, hint, children }: Texts & { children(control: Control): ReactNode }) {
  const id = useId()
  const words = error ?? hint
  const wordsId = `${id}-words`
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: 'input',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': words ? wordsId : undefined,
      })}
      {words && (
        <p id={wordsId} className={error ? 'field-error' : 'field-hint'}>
          {words}
        </p>
      )}
    </div>
  )
}
