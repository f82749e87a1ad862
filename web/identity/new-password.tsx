import { type ComponentProps, useDeferredValue, useEffect, useMemo, useState } from 'react'
import {
  type Estimate,
  type Judgement,
  judge,
  type Person,
  type Strength,
  shortestPassword,
  type Weakness,
} from '#identity/weak-password.ts'
import { Field } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import './new-password.css'

/** A field for a new password that shows while typing how hard it is to guess, and why it would be refused. */
export function NewPassword({
  person,
  value,
  ...field
}: Omit<ComponentProps<typeof Field>, 'value'> & { person: Person; value: string }) {
  const judgement = useJudgement(value, person)
  const isShort = [...value].length < shortestPassword
  return (
    <div className="new-password">
      <Field type="password" autoComplete="new-password" required value={value} {...field} />
      {judgement && (
        <p
          className="strength"
          role="status"
          data-strength={isShort ? Math.min(judgement.strength, 2) : judgement.strength}
        >
          <span className="strength-bar" aria-hidden="true" />
          <span>{isShort ? t('Too short') : wordsFor(judgement)}</span>
        </p>
      )}
    </div>
  )
}

const words: Record<Strength, string> = {
  0: t('Very easy to guess'),
  1: t('Very easy to guess'),
  2: t('Easy to guess'),
  3: t('Easy to guess'),
  4: t('Hard to guess'),
}

const wordsFor = ({ strength, weakness, part }: Judgement): string =>
  weakness === null ? words[strength] : `${words[strength]}. ${reasons[weakness](part ?? '')}`

const reasons: Record<Weakness, (part: string) => string> = {
  leaked: () => t('This password was leaked.'),
  'own words': (part) => t('“{part}” is about you.', { part }),
  'common password': (part) => t('“{part}” is a common password.', { part }),
  word: (part) => t('“{part}” is a common word.', { part }),
  name: (part) => t('“{part}” is a name.', { part }),
  date: (part) => t('“{part}” is a date.', { part }),
  repeat: () => t('It repeats the same characters.'),
  sequence: (part) => t('“{part}” is a sequence.', { part }),
  keyboard: (part) => t('The keys of “{part}” are next to each other.', { part }),
  short: () => t('Add more words.'),
}

/** Undefined while nothing is typed, or the lists are not loaded. */
function useJudgement(password: string, { email, name, projectName = null }: Person): Judgement | undefined {
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
  return useMemo(
    () =>
      estimate && typed !== ''
        ? judge(estimate, typed, { email, name, projectName, site: location.hostname })
        : undefined,
    [estimate, typed, email, name, projectName],
  )
}
