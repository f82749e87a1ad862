// A filter of projects in the address, and in the fields of a form that have the same names.
import type { admin, Input } from '../../data/client.ts'
import { statusNames } from '../subscription-state.tsx'

export type Filter = Omit<Input<`${typeof admin}/audiences/create`>, 'name' | 'platform_id'>
export type Name = keyof Filter

type TemplateState = NonNullable<Filter['template_state']>
export const templateStates: readonly TemplateState[] = ['reached', 'older', 'missing', 'behind', 'present']

/** The service's own limit. */
export const mostHandPicked = 1000

const numberIn = (digits: number) => (text: string) =>
  new RegExp(`^\\d{1,${digits}}$`).test(text) ? Number(text) : undefined
const textOf = (longest: number) => (text: string) =>
  text.trim() === '' ? undefined : text.trim().slice(0, longest)
const timeIn = (text: string) => (Number.isNaN(Date.parse(text)) ? undefined : text)
export const idIn = numberIn(15)
const daysIn = numberIn(4)

/** The name of each field in the address, and how it is read. */
const parameters: {
  [N in Name]-?: readonly [parameter: string, read: (text: string) => NonNullable<Filter[N]> | undefined]
} = {
  query: ['q', textOf(255)],
  tool_key: ['product', textOf(100)],
  plan: ['plan', textOf(100)],
  subscription_status: [
    'status',
    (text) => (text in statusNames ? (text as keyof typeof statusNames) : undefined),
  ],
  label: ['label', textOf(255)],
  version_id: ['theme', idIn],
  created_from: ['created-from', timeIn],
  created_until: ['created-until', timeIn],
  created_within_days: ['created', daysIn],
  active_from: ['active-from', timeIn],
  active_until: ['active-until', timeIn],
  active_within_days: ['active', daysIn],
  inactive_for_days: ['quiet', daysIn],
  has_open_cards: ['open', (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined)],
  trial_ends_within_days: ['trial', daysIn],
  template_id: ['template', idIn],
  template_version: ['version', daysIn],
  template_state: ['state', (text) => templateStates.find((state) => state === text)],
  project_ids: ['projects', projectsIn],
}

function projectsIn(text: string): number[] | undefined {
  const ids = text.split('.').flatMap((part) => idIn(part) ?? [])
  return ids.length > 0 ? ids.slice(0, mostHandPicked) : undefined
}

const names = Object.keys(parameters) as Name[]

/** The parameters of the address that hold these fields. */
export const parametersOf = (fields: readonly Name[]): string[] => fields.map((name) => parameters[name][0])

/** What is in the address; `given` is the text of a parameter. */
export const filterIn = (given: (parameter: string) => string): Filter =>
  Object.fromEntries(
    names.flatMap((name) => {
      const [parameter, read] = parameters[name]
      const value = read(given(parameter))
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** The parameters of a filter, or of an audience. */
export const addressOf = (filter: Filter): URLSearchParams =>
  new URLSearchParams(
    names.flatMap((name) => {
      const value = filter[name]
      return value == null
        ? []
        : [[parameters[name][0], Array.isArray(value) ? value.join('.') : String(value)]]
    }),
  )

/** Empty values are left out. */
export function changed(before: URLSearchParams, values: Readonly<Record<string, string>>): URLSearchParams {
  const next = new URLSearchParams(before)
  for (const [name, value] of Object.entries(values))
    if (value === '') next.delete(name)
    else next.set(name, value)
  return next
}

/** Fields of an audience that are not in its new filter. */
export const cleared = Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>
