import { fieldErrors } from '../data/failure.ts'
import { Field } from '../ui/field.tsx'
import { t } from '../words/words.ts'

interface Props {
  title: string
  hint?: string | undefined
  error: unknown
  onChange(title: string): void
}

export function TitleField(props: Props) {
  return (
    <Field
      label={t('Title')}
      autoFocus
      required
      value={props.title}
      hint={props.hint}
      error={fieldErrors(props.error)['title']}
      onFocus={(event) => event.target.select()}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}
