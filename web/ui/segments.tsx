import { type ReactNode, useId } from 'react'
import './segments.css'

interface Props<Id extends string> {
  label: string
  choices: Record<Id, ReactNode>
  chosen: string
  onChoose(id: Id): void
}

/** A choice between a few visible options. */
export function Segments<Id extends string>({ label, choices, chosen, onChoose }: Props<Id>) {
  const name = useId()
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {(Object.entries(choices) as [Id, ReactNode][]).map(([id, words]) => (
        <label key={id}>
          <input type="radio" name={name} value={id} checked={chosen === id} onChange={() => onChoose(id)} />
          {words}
        </label>
      ))}
    </div>
  )
}
