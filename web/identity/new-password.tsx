import { type ComponentProps, useDeferredValue, useEffect, useMemo, useState } from 'react'
import {
  type Estimate,
  leastStrength,
  type Person,
  type Strength,
  shortestPassword,
  strengthOf,
} from '#identity/weak-password.ts'
import { Field } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import './new-password.css'

/** A field for a new password that shows while typing how hard it is to guess. */
export function NewPassword({
  person,
  value,
  ...field
}: Omit<ComponentProps<typeof Field>, 'value'> & { person: Person; value: string }) {
  const strength = useStrength(value, person)
  return (
    <div className="new-password">
      <Field type="password" autoComplete="new-password" required value={value} {...field} />
      {strength !== undefined && (
        <p className="strength" role="status" data-strength={strength}>
          <span className="strength-bar" aria-hidden="true" />
          {[...value].length < shortestPassword ? t('Too short') : words[strength]}
        </p>
      )}
    </div>
  )
}

const words: Record<Strength, string> = {
  0: t('Very easy to guess'),
  1: t('Very easy to guess'),
  2: t('Easy to guess'),
  3: t('Hard to guess'),
  4: t('Very hard to guess'),
}

/** Undefined while nothing is typed, or the lists are not loaded. */
function useStrength(password: string, { email, name, projectName = null }: Person): Strength | undefined {
  const [estimate, setEstimate] = useState<Estimate>()
  const isTyped = password !== ''
  useEffect(() => {
    if (!isTyped) return
    let isShown = true
    import('./strength.ts').then(
      (loaded) => isShown && setEstimate(() => loaded.estimate),
      // Without the lists there is no meter; the service judges the password anyway.
      () => {},
    )
    return () => {
      isShown = false
    }
  }, [isTyped])
  const typed = useDeferredValue(password)
  return useMemo(() => {
    if (!estimate || typed === '') return undefined
    const strength = strengthOf(estimate, typed, { email, name, projectName })
    return [...typed].length < shortestPassword ? belowLeast(strength) : strength
  }, [estimate, typed, email, name, projectName])
}

const belowLeast = (strength: Strength): Strength => (strength < leastStrength ? strength : 2)
