import { fieldErrors } from '../../data/failure.ts'
import { Field } from '../../ui/field.tsx'

export function TitleField(props: { title: string; error: unknown; onChange(title: string): void }) {
  return (
    <Field
      label="Title"
      autoFocus
      required
      maxLength={255}
      value={props.title}
      error={fieldErrors(props.error)['title']}
      onFocus={(event) => event.target.select()}
      onChange={(event) => props.onChange(event.target.value)}
    />
  )
}
