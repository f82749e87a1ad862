import { Field } from '../../ui/field.tsx'
import { formatNumber } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import type { Outcome } from './types.ts'
import './outcome-filter.css'

interface Props<One extends Outcome> {
  outcomes: readonly One[]
  counts: Readonly<Record<One, number>>
  nameOf(outcome: One): string
  /** How many received something else than planned, which is chosen instead of an outcome. */
  differing?: number
  /** Whether it can be asked which projects have undone it, instead of an outcome. */
  isUndoable?: boolean
  /** The address, which has the search and what is chosen. */
  search: URLSearchParams
  onChange(change: (before: URLSearchParams) => URLSearchParams, options: { replace: true }): void
}

/** In the address, in place of an outcome. */
export const differsFromPlan = 'differs'

/** In the address, in place of an outcome: projects whose members deleted or changed what they received. */
export const hasUndone = 'undone'

/** A search for projects, and their outcomes with how many there are of each. */
export function OutcomeFilter<One extends Outcome>({
  outcomes,
  counts,
  nameOf,
  differing = 0,
  isUndoable = false,
  search,
  onChange,
}: Props<One>) {
  const chosen = search.get('outcome')
  const set = (name: string, value: string) =>
    onChange(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const others = [differsFromPlan, hasUndone] as const
  const choices = [...outcomes, ...others]
  const isOther = (one: string): one is (typeof others)[number] => others.some((other) => other === one)
  const button = (one: One | (typeof others)[number] | null, name: string, count: number | null) => (
    <button
      key={one}
      type="button"
      aria-pressed={one === (choices.find((choice) => choice === chosen) ?? null)}
      className="rollout-filter-button numbers"
      onClick={() => set('outcome', one ?? '')}
    >
      {one !== null && !isOther(one) && (
        <span className="rollout-mark" data-outcome={one} aria-hidden="true" />
      )}
      {name}
      {count !== null && <span className="rollout-filter-count">{formatNumber(count)}</span>}
    </button>
  )
  const shown = outcomes.filter((one) => one === chosen || counts[one] > 0)
  return (
    <div className="rollout-filter-bar">
      <fieldset className="rollout-filter">
        <legend className="visually-hidden">{t('Show projects by result')}</legend>
        {button(
          null,
          t('All'),
          outcomes.reduce((sum, one) => sum + counts[one], 0),
        )}
        {shown.map((one) => button(one, nameOf(one), counts[one]))}
        {(differing > 0 || chosen === differsFromPlan) &&
          button(differsFromPlan, t('Differs from the plan'), differing)}
        {isUndoable && button(hasUndone, t('Undid it'), null)}
      </fieldset>
      <Field
        label={t('Search projects')}
        type="search"
        maxLength={255}
        placeholder={t('Name or id')}
        value={search.get('q') ?? ''}
        onChange={(event) => set('q', event.target.value)}
      />
    </div>
  )
}
