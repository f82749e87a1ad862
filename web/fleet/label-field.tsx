import { useId } from 'react'
import { admin } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { Field } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import { hasTooLong } from './label-words.ts'

interface Props {
  label: string
  value: string
  autoFocus?: boolean
  onChange(text: string): void
}

/** A field for several labels; those in use are suggested. */
export function LabelField({ label, value, autoFocus, onChange }: Props) {
  const id = useId()
  const { data } = useRead(`${admin}/labels/list`)
  return (
    <>
      <Field
        label={label}
        list={`${id}-labels`}
        autoFocus={autoFocus}
        maxLength={1000}
        value={value}
        hint={t('Separate several labels with commas. Admins and owners of the project see them.')}
        error={hasTooLong(value) ? t('A label can have at most 50 characters.') : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-labels`}>
        {data?.labels.map((one) => (
          <option key={one.label} value={one.label} />
        ))}
      </datalist>
    </>
  )
}
