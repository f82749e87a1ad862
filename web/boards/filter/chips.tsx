import { X } from 'lucide-react'
import type { Choice } from '../../ui/picker.tsx'
import { hidden } from '../../words/hidden.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { idOf, unknownLabel } from './choices.tsx'
import type { Filter } from './filters.ts'

interface Props {
  filters: readonly Filter[]
  choices: readonly Choice<string>[]
  /** True until all choices of this kind are known. */
  isLoading(filter: Filter): boolean
  onRemove(filter: Filter): void
  onNegate(filter: Filter): void
}

/** The filters in use: each can be turned around and removed. */
export const Chips = ({ filters, choices, isLoading, onRemove, onNegate }: Props) => (
  <ul className="chips" aria-label={t('Filters in use')}>
    {filters.map((filter) => {
      const choice = choices.find(({ id }) => id === idOf(filter))
      const { section = '', label: value = unknownLabel(filter, isLoading(filter)) } = choice ?? {}
      const named = choice ? `${section}: ${value}` : value
      const label = filter.isNegated ? t('not {filter}', { filter: named }) : named
      return (
        <li key={idOf(filter)} className="chip" data-negated={filter.isNegated}>
          {choice?.icon}
          {filter.kind === 'show' || !choice ? (
            <span className="truncate">{label}</span>
          ) : (
            <>
              <span className="chip-kind">{section}</span>
              <button type="button" className="chip-not" onClick={() => onNegate(filter)}>
                {filter.isNegated
                  ? rich('is not<hidden>(include {named} instead)</hidden>', { hidden, named })
                  : rich('is<hidden>(exclude {named} instead)</hidden>', { hidden, named })}
              </button>
              <span className="truncate" dir="auto">
                {value}
              </span>
            </>
          )}
          <button
            type="button"
            className="chip-remove"
            aria-label={t('Remove the filter {label}', { label })}
            onClick={() => onRemove(filter)}
          >
            <X />
          </button>
        </li>
      )
    })}
  </ul>
)
