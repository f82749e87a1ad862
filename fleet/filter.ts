// Which projects the operator's list and audiences have: the fields, with the names of the API, and their conditions on the kept figures.
import {
  type Fields,
  type FieldsOf,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  text,
  timestamp,
} from '#contract/schema.ts'
import type { Value } from '#database/connect.ts'
import { subscriptionStatuses, wasActive } from './project.ts'

/** How a project stands to a version of a template. */
export const templateStates = ['reached', 'older', 'missing', 'behind', 'present'] as const

export const mostHandPicked = 1000

const days = (about: string) => integer({ min: 1, max: 9999, about })

const fields = {
  query: text({ max: 255 }),
  tool_key: text({ max: 100, about: 'Only projects with this product.' }),
  plan: text({ max: 100, about: 'Only projects with a subscription to this plan.' }),
  subscription_status: oneOf(subscriptionStatuses),
  label: text({ max: 255 }),
  version_id: integer({ about: 'Only projects that use this theme version.' }),
  created_from: timestamp(),
  created_until: timestamp(),
  created_within_days: days('Only projects that were created in the last so many days.'),
  active_from: timestamp(),
  active_until: timestamp(),
  active_within_days: days('Only projects where a member did something in the last so many days.'),
  inactive_for_days: days('Only projects where no member has done anything for so many days.'),
  has_open_cards: flag({ about: 'Only projects with template cards that are not done, or only the others.' }),
  trial_ends_within_days: days('Only projects with a trial that ends in the next so many days.'),
  template_id: integer({ about: 'Only projects that have this template, or as `template_state` says.' }),
  template_version: integer({
    min: 1,
    max: 1_000_000,
    about: 'The number of the version that `template_state` is about; by default the newest.',
  }),
  template_state: oneOf(templateStates, {
    about:
      '`reached`: has the version or a newer one; `older`: has an older one; `present`: has any version; `missing`: has access and not the template; `behind`: `older` or `missing`.',
  }),
  project_ids: list(integer(), { max: mostHandPicked, about: 'Only these projects.' }),
} satisfies Fields

type FieldName = keyof typeof fields

export const filterNames = Object.keys(fields) as FieldName[]

const each = <Made>(make: (name: FieldName) => unknown) =>
  Object.fromEntries(filterNames.map((name) => [name, make(name)])) as Made

/** The fields as the input of an operation. */
export const filterInput = each<{
  [Name in FieldName]: ReturnType<typeof optional<(typeof fields)[Name]>>
}>((name) => optional(fields[name]))

/** The fields in a result: all of them, null if they are not set. */
export const filterOutput = each<{
  [Name in FieldName]: ReturnType<typeof nullable<(typeof fields)[Name]>>
}>((name) => nullable(fields[name]))

/** Fields that are absent or null filter nothing. */
export type Filter = FieldsOf<typeof filterInput>

export const isFiltering = (filter: Filter): boolean => filterNames.some((name) => filter[name] != null)

/** The projects that an operator looks at: those of one platform or of all; the deleted ones, the archived ones or all others. */
export interface Fleet {
  /** Null for all platforms. */
  platformId: number | null
  /** The platform that is asked for, among the platforms that the caller may see. */
  wantedPlatformId?: number | null | undefined
  isDeleted: boolean
  isArchived: boolean
}

/** Makes a value a parameter of the statement. */
type Given = (value: Value) => string

/** The conditions on the figures `f` of a project; only the ones that are asked for, so that each combination has its own plan. */
export function conditionsOf(
  { platformId, wantedPlatformId, isDeleted, isArchived }: Fleet,
  filter: Filter,
  given: Given,
): string[] {
  const when = <Wanted extends Value>(
    value: Wanted | null | undefined,
    make: (parameter: string) => string,
  ) => (value == null ? [] : [make(given(value))])
  return [
    isDeleted ? 'f.deleted_at is not null' : 'f.deleted_at is null',
    ...(isDeleted ? [] : [isArchived ? 'f.archived_at is not null' : isNotArchived]),
    ...when(platformId, (id) => `f.platform_id = ${id}`),
    ...when(wantedPlatformId, (id) => `f.platform_id = ${id}`),
    ...(filter.query == null ? [] : [matches(filter.query, given)]),
    ...when(filter.tool_key, (key) => `f.tool_keys @> array[${key}::text]`),
    ...when(filter.plan, (plan) => `f.plans @> array[${plan}::text]`),
    ...when(filter.subscription_status, (status) => `f.subscription_statuses @> array[${status}::text]`),
    ...when(filter.label?.toLowerCase(), (label) => `f.labels @> array[${label}::text]`),
    ...when(filter.version_id, (id) => `f.theme_version_id = ${id}`),
    ...when(filter.created_from, (time) => `f.created_at >= ${time}::text::timestamptz`),
    ...when(filter.created_until, (time) => `f.created_at < ${time}::text::timestamptz`),
    ...when(filter.created_within_days, (count) => `f.created_at >= ${daysAgo(count)}`),
    ...when(filter.active_from, (time) => `f.active_at >= ${time}::text::timestamptz`),
    ...when(filter.active_until, (time) => `f.active_at < ${time}::text::timestamptz`),
    ...when(filter.active_within_days, (count) => `f.active_at >= ${daysAgo(count)} and ${wasActive}`),
    ...when(filter.inactive_for_days, (count) => `f.active_at < ${daysAgo(count)}`),
    ...(filter.has_open_cards == null ? [] : [`f.cards ${filter.has_open_cards ? '>' : '<='} f.done`]),
    ...when(
      filter.trial_ends_within_days,
      (count) => `f.trial_ends_at between now() and now() + make_interval(days => ${count}::integer)`,
    ),
    ...(filter.template_id == null ? [] : [standsTo(filter.template_id, filter, given)]),
    ...when(filter.project_ids, (ids) => `f.project_id = any(${ids}::bigint[])`),
  ]
}

/** The archived ones come from their own index: in the last column of a row PostgreSQL finds them only after it has gone through all others, half of the time of a search. */
const isNotArchived = `not exists (
  select from project_figures archived where archived.project_id = f.project_id and archived.archived_at is not null)`

const daysAgo = (count: string) => `now() - make_interval(days => ${count}::integer)`

/** An address is looked for in the index of addresses, everything else in the names and labels. */
function matches(query: string, given: Given): string {
  const text = query.toLowerCase()
  const domain = /^@(.+)$/.exec(text)?.[1]
  const address = domain === undefined ? 'lower(u.email)' : `split_part(lower(u.email), '@', 2)`
  const prefix = `${(domain ?? text).replaceAll(/[\\%_]/g, '\\$&')}%`
  const ways = [
    `position(${given(text)} in f.searched) > 0`,
    `f.project_id in (
      select member.project_id from memberships member join users u on u.id = member.user_id where ${address} like ${given(prefix)})`,
    ...(/^\d{1,15}$/.test(text) ? [`f.project_id = ${given(Number(text))}`] : []),
  ]
  return `(${ways.join(' or ')})`
}

/** A project lacks a template only if it has access to it. */
function standsTo(templateId: number, filter: Filter, given: Given): string {
  const template = given(templateId)
  const version = filter.template_version
  const revision = `(select max(v.revision) from template_versions v where v.board_id = ${template}${
    version == null ? '' : ` and v.number = ${given(version)}`
  })`
  const received = (condition: string) =>
    `exists (select from project_template_states s
      where s.project_id = f.project_id and s.master_board_id = ${template} and s.received_revision ${condition})`
  const ofTemplate = (column: string) => `(select m.${column} from master_boards m where m.id = ${template})`
  // In this form PostgreSQL expects many projects with the product, and does not look up the template of each of them.
  const lacks = (condition: string) =>
    `(not ${received(condition)} and case when f.platform_id = ${ofTemplate('platform_id')} then
      coalesce(${ofTemplate('tool_key')} = any(f.tool_keys), true) end)`
  switch (filter.template_state ?? 'reached') {
    case 'reached':
      return received(`>= ${revision}`)
    case 'older':
      return received(`< ${revision}`)
    case 'present':
      return received('is not null')
    case 'missing':
      return lacks('is not null')
    case 'behind':
      return lacks(`>= ${revision}`)
  }
}
