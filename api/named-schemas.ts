// The results that have a name in the OpenAPI document, taken from an operation that answers with them.
import type { Schema } from '#contract/schema.ts'
import { type Registry, registry } from './registry.ts'

const result = (path: keyof Registry): Schema => registry[path].output
const field = (path: keyof Registry, name: string): Schema => result(path)['properties'][name]
const entry = (path: keyof Registry, name: string): Schema => field(path, name)['items']

const admin = '/services/operations/v1/admin'
const operations = '/services/operations/v1/operations'
const identity = '/services/identity/v1'
const platforms = '/services/platforms/v1'
const themes = '/services/websites/v1/themes'

export const namedSchemas: Readonly<Record<string, Schema>> = {
  ActivityEntry: entry(`${operations}/activity/list`, 'activity'),
  Audience: field(`${admin}/audiences/create`, 'audience'),
  AuditEntry: entry(`${identity}/audit/list`, 'entries'),
  AuthenticatedUser: result('/v1/authenticate'),
  Board: field(`${operations}/boards/create`, 'board'),
  BoardInList: entry(`${operations}/boards/list`, 'boards'),
  Card: field(`${operations}/cards/update`, 'card'),
  Checkout: result(`${platforms}/subscriptions/upgrade-trial`),
  Comment: field(`${operations}/comments/create`, 'comment'),
  DeprecatedVersion: result(`${themes}/versions/deprecate`),
  FoundCard: entry(`${operations}/cards/search`, 'cards'),
  DeletedTemplateThing: entry(`${admin}/trash/list`, 'things'),
  DetailedMember: entry(`${identity}/members/list-details`, 'members'),
  Group: field(`${operations}/groups/create`, 'group'),
  Invitation: entry(`${identity}/invitations/list`, 'invitations'),
  InboxItem: entry(`${operations}/inbox/list`, 'items'),
  ListedSubscription: entry(`${platforms}/subscriptions/list-all`, 'subscriptions'),
  MasterBoard: field(`${admin}/master-boards/create`, 'board'),
  MasterBoardInList: entry(`${admin}/master-boards/list`, 'boards'),
  MasterCardRevision: entry(`${admin}/master-cards/get`, 'revisions'),
  Member: entry(`${identity}/members/list`, 'members'),
  NewCard: field(`${operations}/cards/create`, 'card'),
  OfferedVersion: entry(`${themes}/versions/browse`, 'versions'),
  Plan: entry(`${platforms}/plans/list`, 'plans'),
  FleetProject: entry(`${admin}/projects/list`, 'projects'),
  ProductReach: entry(`${admin}/products/list`, 'products'),
  PlannedCard: entry(`${admin}/rollouts/plan/list-cards`, 'cards'),
  PlannedProject: entry(`${admin}/rollouts/plan/list-projects`, 'projects'),
  Project: entry(`${identity}/projects/list`, 'projects'),
  Payment: field(`${platforms}/payments/get`, 'payment'),
  PushResult: result(`${admin}/master-cards/push`),
  Rollout: entry(`${admin}/rollouts/list`, 'rollouts'),
  RolloutResult: entry(`${admin}/rollouts/get`, 'results'),
  Session: entry(`${identity}/sessions/list`, 'sessions'),
  Subscription: entry(`${platforms}/subscriptions/list`, 'subscriptions'),
  SubscriptionEvent: entry(`${platforms}/subscriptions/get`, 'history'),
  SyncResult: result(`${admin}/master-boards/sync`),
  SavedView: field(`${operations}/views/create`, 'view'),
  Tag: field(`${operations}/tags/create`, 'tag'),
  ThemeCampaign: entry(`${themes}/campaigns/list`, 'campaigns'),
  TemplateContent: field(`${admin}/master-boards/versions/get`, 'board'),
  TemplateDifference: entry(`${admin}/master-boards/versions/compare`, 'differences'),
  TemplateLogEntry: entry(`${admin}/master-boards/log/list`, 'entries'),
  TemplateVersion: entry(`${admin}/master-boards/versions/list`, 'versions'),
  Theme: field(`${themes}/create`, 'theme'),
  ThemeVersion: field(`${themes}/versions/get`, 'version'),
  TourResult: result(`${operations}/tour/cards/dismiss-all`),
  TrashEntry: entry(`${operations}/trash/list`, 'things'),
  TrashedThing: field(`${operations}/trash/get`, 'thing'),
  UnreadCard: entry(`${operations}/home/get`, 'unread'),
  User: field(`${identity}/users/me`, 'user'),
  WholeBoard: field(`${operations}/boards/get`, 'board'),
  WholeMasterBoard: field(`${admin}/master-boards/get`, 'board'),
}
