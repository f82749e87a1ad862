import { fullDay } from '../../ui/time.tsx'
import { counted, t } from '../../words/words.ts'
import type { Choice, Choices } from './choices.ts'
import type { Filter, Name } from './filter.ts'

const nameIn = (choices: readonly Choice[], value: string | number) =>
  choices.find((choice) => choice.value === String(value))?.label ?? String(value)

/** A part of a filter in words, and the fields that it is made of. */
interface Phrase {
  fields: readonly Name[]
  words: string
}

/** A filter as short phrases; a project matches if all of them are true. */
export function phrasesOf(filter: Filter, choices: Choices): Phrase[] {
  const when = <Field extends Name>(field: Field, words: (value: NonNullable<Filter[Field]>) => string) => {
    const value = filter[field]
    return value == null ? [] : [{ fields: [field], words: words(value as NonNullable<Filter[Field]>) }]
  }
  return [
    ...when('query', (text) => t('Search: {text}', { text })),
    ...when('tool_key', (key) => t('Product: {name}', { name: nameIn(choices.products, key) })),
    ...when('plan', (plan) => t('Plan: {name}', { name: nameIn(choices.plans, plan) })),
    ...when('subscription_status', (status) =>
      t('Subscription: {name}', { name: nameIn(choices.statuses, status) }),
    ),
    ...when('label', (label) => t('Label: {name}', { name: label })),
    ...when('version_id', (id) => t('Theme: {theme}', { theme: nameIn(choices.themes, id) })),
    ...when('created_from', (time) => t('Created from {day}', { day: fullDay(time) })),
    ...when('created_until', (time) => t('Created before {day}', { day: fullDay(time) })),
    ...when('created_within_days', (days) =>
      counted(days, { one: 'Created in the last {count} day', other: 'Created in the last {count} days' }),
    ),
    ...when('active_from', (time) => t('Active since {day}', { day: fullDay(time) })),
    ...when('active_until', (time) => t('No activity since {day}', { day: fullDay(time) })),
    ...when('active_within_days', (days) =>
      counted(days, { one: 'Active in the last {count} day', other: 'Active in the last {count} days' }),
    ),
    ...when('inactive_for_days', (days) =>
      counted(days, { one: 'No activity for {count} day', other: 'No activity for {count} days' }),
    ),
    ...when('has_open_cards', (isOpen) =>
      isOpen ? t('With open template cards') : t('Without open template cards'),
    ),
    ...when('trial_ends_within_days', (days) =>
      counted(days, { one: 'Trial ends within {count} day', other: 'Trial ends within {count} days' }),
    ),
    ...when('template_id', (id) => templateInWords(filter, nameIn(choices.templates, id))).map(
      ({ words }) => ({ words, fields: ['template_id', 'template_state', 'template_version'] as const }),
    ),
    ...when('project_ids', ({ length: count }) =>
      counted(count, { one: '{count} selected project', other: '{count} selected projects' }),
    ),
  ]
}

export function filterInWords(filter: Filter, choices: Choices): string[] {
  const phrases = phrasesOf(filter, choices).map(({ words }) => words)
  return phrases.length > 0 ? phrases : [t('All projects')]
}

function templateInWords(
  { template_state: state, template_version: version }: Filter,
  title: string,
): string {
  if (state === 'missing') return t('Without “{title}”', { title })
  if (state === 'present') return t('With “{title}”', { title })
  if (version == null)
    return state === 'behind'
      ? t('Not yet on the newest version of “{title}”', { title })
      : state === 'older'
        ? t('On an older version of “{title}”', { title })
        : t('On the newest version of “{title}”', { title })
  return state === 'behind'
    ? t('Not yet on version {version} of “{title}”', { title, version })
    : state === 'older'
      ? t('On a version of “{title}” before {version}', { title, version })
      : t('On version {version} or newer of “{title}”', { title, version })
}

/** Of projects that are on another platform than what they are chosen for. */
export const leftOutInWords = (count: number): string =>
  counted(count, {
    one: '{count} project is on another platform and is left out.',
    other: '{count} projects are on another platform and are left out.',
  })
