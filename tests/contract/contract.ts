// The contract as its text says it, copied by hand and not taken from our declarations: a wrong declaration must not hide itself.

export type Type = 'integer' | 'boolean' | 'string' | 'string or null' | 'timestamp'

/** Fields by type, as in the tables of the contract. */
const fields = (rows: Partial<Record<Type, string>>): Record<string, Type> =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([type, names]) => names.split(', ').map((name) => [name, type as Type])),
  )

const card = fields({
  integer:
    'id, project_id, platform_id, master_card_id, group_id, owner_id, tag_id, created_by, sort_order, position',
  boolean: 'is_master, is_active, is_overdue',
  string:
    'unique_identifier, evaluation_check, tour_key, short_description, title, description, status, priority',
  timestamp: 'due_date, snoozed_until, created_at, updated_at, deleted_at',
})

export const objects = {
  Card: card,
  NewCard: { ...card, card_type: 'string' },
  Group: fields({
    integer: 'id, project_id, platform_id, master_group_id, board_id, position, created_by',
    boolean: 'is_master, is_collapsed, is_active',
    string: 'title, description, type, color, icon',
    timestamp: 'created_at, updated_at, deleted_at',
  }),
  Comment: fields({
    integer: 'id, project_id, card_id, user_id, parent_comment_id',
    string: 'comment',
    boolean: 'is_read',
    timestamp: 'read_at, created_at, updated_at, deleted_at',
  }),
  Tag: fields({
    integer: 'id, project_id, position, created_by',
    string: 'name, color, icon',
    timestamp: 'created_at, updated_at, deleted_at',
    boolean: 'is_active',
  }),
  AuthenticatedUser: fields({
    boolean: 'needs_code__regeneration, superadmin, superadmin_billing, enable_ai',
    string: 'warn_message, token, name, email',
    'string or null': 'language',
    integer: 'id',
  }),
  Checkout: fields({
    string: 'checkout_url',
    'string or null': 'session_id',
    integer: 'subscription_id',
  }),
  DeprecatedVersion: fields({ string: 'version_id, theme_status' }),
  SyncResult: fields({ integer: 'synced_count, skipped_no_access' }),
  PushResult: fields({ string: 'projects_updated' }),
  TourResult: fields({ integer: 'dismissed_count' }),
} satisfies Record<string, Record<string, Type>>

export type ObjectName = keyof typeof objects

/** The contract does not say which fields of these objects can be null. */
export const nullableObjects: readonly ObjectName[] = ['Card', 'NewCard', 'Group', 'Comment', 'Tag']

export interface Input {
  type: 'integer' | 'boolean' | 'string' | 'array' | 'email' | 'date'
  isRequired: boolean
  /** Characters. */
  max?: number
  values?: readonly string[]
}

const required = (type: Input['type'], max?: number): Input => ({
  type,
  isRequired: true,
  ...(max && { max }),
})
const optional = (type: Input['type'], max?: number): Input => ({ ...required(type, max), isRequired: false })
const oneOf = (...values: string[]): Input => ({ ...optional('string'), values })

const priority = oneOf('low', 'normal', 'high', 'urgent')

/** What `data` is: one of the objects, keys with objects or other values, or an empty list. */
export type Data = ObjectName | 'empty list' | Record<string, ObjectName | Other>
/** `text of X` is an X as JSON text: the contract types it as a string. */
type Other = `text of ${ObjectName}` | 'text' | 'list of objects' | 'list of strings' | 'string'

export interface Operation {
  input: Record<string, Input>
  data: Data
  statuses: readonly number[]
  /** Bodies that differ from the usual ones. */
  bodies?: Partial<Record<number, readonly string[]>>
  /** The key of `data` with the thing that has what was sent. */
  returns?: 'card' | 'group' | 'comment' | 'tag'
}

const listed = (success: number, ...others: number[]) =>
  [success, 400, 401, 403, 422, 429, 500, ...others].sort((a, b) => a - b)
/** The contract shows no codes for these; ours are checked so that they stay. */
const notShown = listed

const envelope = ['error', 'message', 'data']
const short = ['error', 'message']

export const usualBodies: Record<number, readonly string[]> = {
  400: envelope,
  401: short,
  403: short,
  404: envelope,
  422: ['message', 'errors'],
  429: short,
  500: envelope,
}

const work = '/services/operations/v1/operations'
const admin = '/services/operations/v1/admin'

export const operations: Record<string, Operation> = {
  '/v1/authenticate': {
    input: {
      email: required('email'),
      password: required('string'),
      token: optional('string'),
      code: optional('string'),
      is_recovery: optional('boolean'),
    },
    data: 'AuthenticatedUser',
    statuses: notShown(200),
    bodies: { 200: [...envelope, 'errors'], 400: short },
  },
  [`${work}/cards/create`]: {
    input: {
      title: required('string', 255),
      description: optional('string'),
      group_id: optional('integer'),
      status: optional('string', 50),
      owner_id: optional('integer'),
      tag_id: optional('integer'),
      due_date: optional('date'),
      priority,
    },
    data: { card: 'NewCard' },
    statuses: listed(201),
    returns: 'card',
  },
  [`${work}/cards/delete`]: {
    input: { id: required('integer') },
    data: 'empty list',
    statuses: listed(200, 404),
    bodies: { 403: envelope },
  },
  [`${work}/groups/update`]: {
    input: {
      id: required('integer'),
      title: optional('string', 255),
      description: optional('string'),
      type: optional('string', 50),
      color: optional('string', 50),
      icon: optional('string', 100),
      position: optional('integer'),
      is_collapsed: optional('boolean'),
    },
    data: { group: 'text of Group' },
    statuses: listed(200, 404),
    bodies: { 403: envelope },
    returns: 'group',
  },
  [`${work}/groups/reorder`]: {
    input: { groups: required('array') },
    data: 'empty list',
    statuses: notShown(200),
  },
  [`${work}/comments/create`]: {
    input: {
      card_id: required('integer'),
      comment: required('string'),
      parent_comment_id: optional('integer'),
    },
    data: { comment: 'Comment' },
    statuses: listed(201, 404),
    returns: 'comment',
  },
  [`${work}/tags/create`]: {
    input: {
      name: required('string', 255),
      color: optional('string', 50),
      icon: optional('string', 100),
      position: optional('integer'),
    },
    data: { tag: 'Tag' },
    statuses: listed(201),
    returns: 'tag',
  },
  [`${work}/boards/get`]: {
    input: { id: required('integer') },
    data: { board: 'text' },
    statuses: notShown(200, 404),
  },
  [`${work}/boards/list`]: {
    input: { tool_key: optional('string') },
    data: { boards: 'list of objects' },
    statuses: notShown(200),
  },
  [`${work}/tour/cards/dismiss-all`]: { input: {}, data: 'TourResult', statuses: notShown(200) },
  [`${admin}/master-boards/list`]: {
    input: {},
    data: { boards: 'list of strings' },
    // Nothing that is sent can be wrong.
    statuses: notShown(200).filter((status) => status !== 422),
  },
  [`${admin}/master-boards/sync`]: {
    input: { board_id: required('integer') },
    data: 'SyncResult',
    statuses: listed(200, 404),
  },
  [`${admin}/master-boards/delete`]: {
    input: { id: required('integer') },
    data: 'empty list',
    statuses: listed(200, 404),
  },
  [`${admin}/master-groups/create`]: {
    input: {
      board_id: required('integer'),
      title: required('string', 255),
      description: optional('string'),
    },
    data: { group: 'Group' },
    statuses: listed(201, 404),
    returns: 'group',
  },
  [`${admin}/master-groups/update`]: {
    input: { id: required('integer'), title: optional('string', 255), description: optional('string') },
    data: { group: 'text of Group' },
    statuses: notShown(200, 404),
    returns: 'group',
  },
  [`${admin}/master-groups/reorder`]: {
    input: { board_id: required('integer'), groups: required('array') },
    data: 'empty list',
    statuses: listed(200),
  },
  [`${admin}/master-groups/delete`]: {
    input: { id: required('integer') },
    data: 'empty list',
    statuses: listed(200, 404),
  },
  [`${admin}/master-cards/create`]: {
    input: {
      group_id: required('integer'),
      title: required('string', 255),
      description: optional('string'),
      unique_identifier: optional('string', 100),
      evaluation_check: optional('string', 100),
      tour_key: optional('string', 100),
      short_description: optional('string'),
      status: oneOf('open', 'in_progress', 'closed', 'to_check', 'blocked'),
      is_active: optional('boolean'),
      priority,
      push_to_projects: optional('boolean'),
    },
    data: { card: 'Card', projects_updated: 'string' },
    statuses: notShown(201),
    returns: 'card',
  },
  [`${admin}/master-cards/push`]: {
    input: { card_id: required('integer') },
    data: 'PushResult',
    statuses: notShown(200, 404),
  },
  [`${admin}/master-cards/delete`]: {
    input: { id: required('integer'), delete_from_projects: optional('boolean') },
    data: 'empty list',
    statuses: listed(200, 404),
  },
  '/services/platforms/v1/subscriptions/upgrade-trial': {
    input: {
      plan: required('string'),
      period: { ...oneOf('month', 'year'), isRequired: true },
      product: required('string'),
    },
    data: 'Checkout',
    statuses: listed(200, 404),
    bodies: { 401: ['message'], 403: envelope },
  },
  '/services/websites/v1/themes/versions/deprecate': {
    input: { version_id: required('integer') },
    data: 'DeprecatedVersion',
    statuses: notShown(200, 404),
  },
}
