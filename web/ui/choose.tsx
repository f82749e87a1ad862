import type { ReactNode } from 'react'
import './field-list.css'
import { type Choice, type Manage, Picker } from './picker.tsx'
import { viewOnly } from './view-only.ts'

/** Shown if a field has no value. */
export const Absent = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <span className="field-absent">
    {icon} {children}
  </span>
)

interface ChooseProps<Id extends string | number> {
  name: string
  shown: ReactNode
  chosen: Id
  choices: readonly Choice<Id>[]
  refusal: string | undefined
  onCreate?: (text: string) => void
  manage?: Manage
  onChoose(id: Id): void
}

/** A picker in a list of fields. */
export function Choose<Id extends string | number>(props: ChooseProps<Id>) {
  const { name, shown, chosen, choices, refusal, onCreate, manage, onChoose } = props
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {refusal === undefined ? (
          <Picker
            label={name}
            choices={choices}
            chosen={[chosen]}
            onCreate={onCreate}
            manage={manage}
            onChoose={(id) => id !== chosen && onChoose(id)}
            trigger={(trigger) => (
              <button type="button" className="field-value" {...trigger}>
                <span className="visually-hidden">{name}: </span>
                {shown}
              </button>
            )}
          />
        ) : refusal === viewOnly ? (
          <span className="field-value field-still">{shown}</span>
        ) : (
          <button
            type="button"
            className="field-value field-still"
            aria-disabled="true"
            aria-description={refusal}
            data-tip={refusal}
          >
            <span className="visually-hidden">{name}: </span>
            {shown}
          </button>
        )}
      </dd>
    </div>
  )
}
