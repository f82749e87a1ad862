// The example request of each operation. In the order of the reference they succeed on a fresh demo, except for those
// that say why they cannot; tools/record-examples.ts runs them.
import { TOTP } from 'otpauth'
import type { Registry } from '#api/registry.ts'
import type { Calls } from '#contract/client.ts'
import { grayJpeg } from '#tests/photo.ts'
import { demoPassword } from '../demo/accounts.ts'

type Path = keyof Registry

/** The ids of the demo's things by kind and name, and the answers to the examples before. */
export interface Known {
  id(kind: Kind, name: string): number
  /** The id of what an earlier example created: `created('…/cards/create', 'card')`. */
  created(path: Path, key: string): number
  /** The ids of the things that an earlier example created: `createdMany('…/cards/create-many', 'cards')`. */
  createdMany(path: Path, key: string): number[]
  /** The secret that `second-factor/begin` gave. */
  secret(): string
  latestRollout(): Promise<number>
  canceledRollout(): Promise<number>
  deletedCard(): Promise<number>
}

export type Kind =
  | 'project'
  | 'audience'
  | 'board'
  | 'group'
  | 'card'
  | 'tag'
  | 'view'
  | 'member'
  | 'invitation'
  | 'superadmin'
  | 'master board'
  | 'master group'
  | 'master card'
  | 'subscription of'
  | 'payment of'
  | 'theme'
  | 'theme version'

interface Step<Input> {
  /** The demo account that calls; by default the owner of Acme. */
  as?: string
  input?: Input
  /** Sent in place of values that hold only at the moment. */
  sent?: Partial<Input>
  /** For operations that cannot succeed on the demo: the code of the answer, and the reason. */
  refusal?: { code: string; because: string }
}

type Steps = {
  [P in Path]: (
    known: Known,
  ) => Step<Calls<Registry>[P]['input']> | Promise<Step<Calls<Registry>[P]['input']>>
}

export const owner = 'owner@acme.test'
const superadmin = { as: 'superadmin@cardinal.test' }
const admin = { as: 'admin@acme.test' }
const noProvider = { code: 'single_sign_on_off', because: 'The demo has no identity provider.' }
const authenticator = 'Only an authenticator can sign.'
const made = {
  credential: 'q2Vn1mEoTgWcGk0rTqVb9A',
  client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
  attestation: 'o2NmbXRkbm9uZWdhdHRTdG10oA',
}
const assertion = {
  credential: made.credential,
  client_data: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
  authenticator_data: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAA',
  signature: 'MEUCIQDf3kq0Yy1nqT0z',
}
const member = { as: 'member@acme.test' }

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'
const themes = '/services/websites/v1/themes'

/** The link of the first superadmin does not exist once there is one. */
const setUp = { code: 'setup_link_not_found', because: 'The demo is set up already.' }

/** Its secret is only in the mail. */
const resetLink = { code: 'reset_link_not_found', because: 'The secret of a link is only in its email.' }

const invitationLink = {
  code: 'invitation_not_found',
  because: 'The secret of a link is only in its email.',
}

const signUpLink = {
  code: 'sign_up_link_not_found',
  because: 'The secret of a link is only in its email.',
}

export const examples: Steps = {
  '/v1/authenticate': () => ({ input: { email: owner, password: demoPassword } }),

  '/services/identity/v1/audit/list': () => ({ input: { kind: 'sign_in.succeeded', limit: 20 } }),
  '/services/identity/v1/invitations/accept': () => ({
    ...member,
    input: { token: '1.cardinal_invitation_token' },
    refusal: invitationLink,
  }),
  '/services/identity/v1/invitations/create': () => ({
    input: { emails: ['ada@example.com', 'grace@example.com'], role: 'member' },
  }),
  '/services/identity/v1/invitations/list': () => ({}),
  '/services/identity/v1/invitations/look-up': () => ({
    input: { token: '1.cardinal_invitation_token' },
    refusal: invitationLink,
  }),
  '/services/identity/v1/invitations/resend': ({ id }) => ({
    input: { id: id('invitation', 'jonas@acme.test') },
  }),
  '/services/identity/v1/invitations/revoke': ({ id }) => ({
    input: { id: id('invitation', 'jonas@acme.test') },
  }),
  '/services/identity/v1/invitations/sign-up': () => ({
    input: {
      token: '1.cardinal_invitation_token',
      name: 'Ada Lovelace',
      password: 'tall oaks hum at noon',
      language: 'en',
    },
    refusal: invitationLink,
  }),
  '/services/identity/v1/invitations/begin-passkey': () => ({
    input: { token: '1.cardinal_invitation_token', name: 'Ada Lovelace' },
    refusal: invitationLink,
  }),
  '/services/identity/v1/invitations/sign-up-with-passkey': () => ({
    input: {
      token: '1.cardinal_invitation_token',
      name: 'Ada Lovelace',
      language: 'en',
      passkey_name: 'MacBook',
      ...made,
    },
    refusal: invitationLink,
  }),
  '/services/identity/v1/members/leave': () => ({ as: 'german@acme.test' }),
  '/services/identity/v1/members/list-details': () => ({}),
  '/services/identity/v1/members/list': () => ({}),
  '/services/identity/v1/members/remove': ({ id }) => ({
    input: { user_id: id('member', 'Victor Hale') },
  }),
  '/services/identity/v1/members/restore': ({ id }) => ({
    input: { user_id: id('member', 'Victor Hale') },
  }),
  '/services/identity/v1/members/transfer-ownership': ({ id }) => ({
    input: { user_id: id('member', 'Adam Novak') },
  }),
  '/services/identity/v1/members/update-role': ({ id }) => ({
    ...admin,
    input: { user_id: id('member', 'Olivia Park'), role: 'owner' },
  }),
  '/services/identity/v1/notifications/get': () => ({}),
  '/services/identity/v1/notifications/update': () => ({ input: { commented: 'off', overdue: 'mail' } }),
  '/services/identity/v1/password/change': () => ({
    as: 'viewer@acme.test',
    input: { current_password: demoPassword, new_password: 'tall oaks hum at noon' },
  }),
  '/services/identity/v1/passkeys/add': () => ({
    input: { name: 'MacBook', ...made },
    refusal: { code: 'passkey_not_accepted', because: authenticator },
  }),
  '/services/identity/v1/passkeys/begin-adding': () => ({}),
  '/services/identity/v1/passkeys/begin-sign-in': () => ({}),
  '/services/identity/v1/passkeys/confirm': () => ({
    input: assertion,
    refusal: { code: 'passkey_not_accepted', because: authenticator },
  }),
  '/services/identity/v1/passkeys/list': () => ({}),
  '/services/identity/v1/passkeys/remove': () => ({
    input: { id: 1 },
    refusal: { code: 'passkey_not_found', because: 'Accounts of the demo have no passkeys.' },
  }),
  '/services/identity/v1/passkeys/rename': () => ({
    input: { id: 1, name: 'Phone' },
    refusal: { code: 'passkey_not_found', because: 'Accounts of the demo have no passkeys.' },
  }),
  '/services/identity/v1/passkeys/sign-in': () => ({
    input: assertion,
    refusal: { code: 'passkey_unknown', because: authenticator },
  }),
  '/services/identity/v1/password/confirm': () => ({ ...member, input: { password: demoPassword } }),
  '/services/identity/v1/password/check-reset': () => ({
    input: { token: 'cardinal_reset_token' },
    refusal: resetLink,
  }),
  '/services/identity/v1/password/request-reset': () => ({ input: { email: 'viewer@acme.test' } }),
  '/services/identity/v1/password/reset': () => ({
    input: { token: 'cardinal_reset_token', new_password: 'tall oaks hum at noon' },
    refusal: resetLink,
  }),
  '/services/identity/v1/platforms/list': () => superadmin,
  '/services/identity/v1/projects/create': () => ({ ...superadmin, input: { name: 'Dahlia' } }),
  '/services/identity/v1/projects/delete': ({ id }) => ({
    as: 'owner@blue.test',
    input: { id: id('project', 'Blue'), name: 'Blue' },
  }),
  '/services/identity/v1/projects/list': () => ({ input: { query: 'acme', limit: 20 } }),
  '/services/identity/v1/projects/list-deleted': () => ({ as: 'owner@blue.test', input: { limit: 20 } }),
  '/services/identity/v1/projects/list-labels': () => ({ as: 'owner@acme.test' }),
  '/services/identity/v1/projects/restore': ({ id }) => ({
    as: 'owner@blue.test',
    input: { id: id('project', 'Blue') },
  }),
  '/services/identity/v1/projects/update': ({ id }) => ({
    input: {
      id: id('project', 'Acme'),
      website_url: 'https://www.acme.test',
      language: 'en',
      time_zone: 'Europe/Berlin',
    },
  }),
  '/services/identity/v1/second-factor/begin': () => ({ ...admin, input: { password: demoPassword } }),
  '/services/identity/v1/second-factor/confirm': ({ secret }) => ({
    ...admin,
    input: { code: '123456' },
    sent: { code: new TOTP({ secret: secret() }).generate() },
  }),
  '/services/identity/v1/second-factor/disable': ({ secret }) => ({
    ...admin,
    input: { password: demoPassword, code: '654321', end_other_sessions: true },
    // Each code works once, so this is the next one.
    sent: { code: new TOTP({ secret: secret() }).generate({ timestamp: Date.now() + 30_000 }) },
  }),
  '/services/identity/v1/second-factor/dismiss-warning': () => admin,
  '/services/identity/v1/second-factor/regenerate-codes': () => ({
    as: 'secure@acme.test',
    input: { password: demoPassword, code: 'demo-0002', is_recovery: true },
  }),
  '/services/identity/v1/sessions/list': () => member,
  '/services/identity/v1/sessions/revoke-all': () => ({ ...member, input: { keep_current: true } }),
  '/services/identity/v1/sessions/revoke': () => member,
  '/services/identity/v1/sign-up/check': () => ({
    input: { token: 'cardinal_sign_up_token' },
    refusal: signUpLink,
  }),
  '/services/identity/v1/sign-up/complete': () => ({
    input: {
      token: 'cardinal_sign_up_token',
      name: 'Ada Lovelace',
      password: 'tall oaks hum at noon',
      project_name: 'Analytical Engine',
      product: 'website',
      language: 'en',
      time_zone: 'Europe/London',
    },
    refusal: signUpLink,
  }),
  '/services/identity/v1/sign-up/request': () => ({
    input: { email: 'ada@example.com' },
  }),
  '/services/identity/v1/setup/check': () => ({
    input: { token: 'cardinal_setup_token' },
    refusal: setUp,
  }),
  '/services/identity/v1/setup/complete': () => ({
    input: {
      token: 'cardinal_setup_token',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      password: 'tall oaks hum at noon',
      project_name: 'Acme',
    },
    refusal: setUp,
  }),
  '/services/identity/v1/setup/status': () => ({}),
  '/services/identity/v1/single-sign-on/begin': () => ({ refusal: noProvider }),
  '/services/identity/v1/single-sign-on/complete': () => ({
    input: { state: 'Kx0ZkqkMZQ3Wc0yXkz1m7w', code: 'SplxlOBeZQQYbYS6WxSbIA' },
    refusal: noProvider,
  }),
  '/services/identity/v1/single-sign-on/list': () => ({}),
  '/services/identity/v1/single-sign-on/unlink': () => ({
    input: { issuer: 'https://id.example.com' },
    refusal: {
      code: 'provider_not_linked',
      because: 'Accounts of the demo are linked with no identity provider.',
    },
  }),
  '/services/identity/v1/single-sign-on/link': () => ({
    input: { token: 'cardinal_link_token' },
    refusal: { code: 'sign_on_link_not_found', because: 'Only an identity provider can confirm an address.' },
  }),
  '/services/identity/v1/users/change-email': () => ({
    as: 'owner@cedar.test',
    input: { email: 'chloe@example.com' },
  }),
  '/services/identity/v1/users/close': () => ({ as: 'german@acme.test' }),
  '/services/identity/v1/users/confirm-email': () => ({
    input: { token: 'cardinal_email_token' },
    refusal: { code: 'email_link_not_found', because: 'The secret of a link is only in its email.' },
  }),
  '/services/identity/v1/users/demote': ({ id }) => ({
    ...superadmin,
    input: { id: id('superadmin', 'Nils Berg') },
  }),
  '/services/identity/v1/users/me': () => ({}),
  '/services/identity/v1/users/remove-photo': () => ({}),
  '/services/identity/v1/users/reset-second-factor': ({ id }) => ({
    ...superadmin,
    input: { id: id('member', 'Sana Aziz') },
  }),
  '/services/identity/v1/users/set-ai': ({ id }) => ({
    ...superadmin,
    input: { id: id('member', 'Mina Sato'), enable_ai: true },
  }),
  '/services/identity/v1/users/set-photo': () => ({
    input: { photo: '/9j/4AAQSkZJRgABAQ…' },
    sent: { photo: grayJpeg().toString('base64') },
  }),
  '/services/identity/v1/users/update': () => ({ as: 'owner@blue.test', input: { language: 'de' } }),

  [`${masters}/audiences/create` as const]: ({ id }) => ({
    ...superadmin,
    input: {
      name: 'Shops without the newest version',
      tool_key: 'shop',
      template_id: id('master board', 'Shop opening'),
      template_state: 'behind',
    },
  }),
  [`${masters}/audiences/get` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('audience', 'Key accounts') },
  }),
  [`${masters}/audiences/list` as const]: () => superadmin,
  [`${masters}/audiences/update` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('audience', 'Pilots'), name: 'Pilot customers', tool_key: 'website' },
  }),
  [`${masters}/audiences/delete` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/audiences/create`, 'audience') },
  }),
  [`${masters}/customized/get` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch') },
  }),
  [`${masters}/customized/list-projects` as const]: ({ id }) => ({
    ...superadmin,
    input: { card_id: id('master card', 'Choose a theme'), field: 'title' },
  }),
  [`${masters}/labels/list` as const]: () => superadmin,
  [`${masters}/master-boards/create` as const]: () => ({
    ...superadmin,
    input: {
      title: 'Photo shoot',
      description: 'From the first list to the last picture.',
      tool_key: 'website',
    },
  }),
  [`${masters}/master-boards/delete` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/master-boards/create`, 'board') },
  }),
  [`${masters}/master-boards/duplicate` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('master board', 'Website launch'), title: 'Website launch, short' },
  }),
  [`${masters}/master-boards/from-board` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('board', 'Spring campaign'), title: 'Campaign' },
  }),
  [`${masters}/master-boards/get` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('master board', 'Website launch') },
  }),
  [`${masters}/master-boards/list` as const]: () => superadmin,
  [`${masters}/master-boards/log/list` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch'), limit: 10 },
  }),
  [`${masters}/master-boards/publish` as const]: ({ created }) => ({
    ...superadmin,
    input: {
      id: created(`${masters}/master-boards/duplicate`, 'board'),
      note: 'First version for small sites.',
    },
  }),
  [`${masters}/master-boards/restore` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/master-boards/create`, 'board') },
  }),
  [`${masters}/master-boards/sync` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch') },
  }),
  [`${masters}/master-boards/update` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('master board', 'Website launch'), title: 'Website launch, 2nd edition' },
  }),
  [`${masters}/master-boards/versions/compare` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch'), from: 1 },
  }),
  [`${masters}/master-boards/versions/get` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch'), number: 1 },
  }),
  [`${masters}/master-boards/versions/list` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch') },
  }),
  [`${masters}/master-boards/versions/restore` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch'), number: 1 },
  }),
  [`${masters}/master-cards/create` as const]: ({ id }) => ({
    ...superadmin,
    input: {
      group_id: id('master group', 'Prepare'),
      title: 'Prepare a press kit',
      short_description: 'Logo, photos and two paragraphs that journalists may copy.',
      unique_identifier: 'website-press-kit',
      priority: 'high',
      push_to_projects: true,
    },
  }),
  [`${masters}/master-cards/delete` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/master-cards/create`, 'card'), delete_from_projects: true },
  }),
  [`${masters}/master-cards/get` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('master card', 'Choose a theme') },
  }),
  [`${masters}/master-cards/move` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('master card', 'Choose a theme'), position: 1 },
  }),
  [`${masters}/master-cards/push` as const]: ({ id }) => ({
    ...superadmin,
    input: { card_id: id('master card', 'Choose a theme') },
  }),
  [`${masters}/master-cards/restore` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/master-cards/create`, 'card') },
  }),
  [`${masters}/master-cards/update` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('master card', 'Choose a theme'), priority: 'high' },
  }),
  [`${masters}/master-groups/create` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch'), title: 'After the launch' },
  }),
  [`${masters}/master-groups/delete` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/master-groups/create`, 'group') },
  }),
  [`${masters}/master-groups/reorder` as const]: ({ id }) => ({
    ...superadmin,
    input: {
      board_id: id('master board', 'Website launch'),
      groups: [{ id: id('master group', 'Prepare'), position: 1 }],
    },
  }),
  [`${masters}/master-groups/restore` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/master-groups/create`, 'group') },
  }),
  [`${masters}/master-groups/update` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('master group', 'Prepare'), title: 'Prepare the site' },
  }),
  [`${masters}/overview/get` as const]: () => superadmin,
  [`${masters}/overview/get-age` as const]: () => superadmin,
  [`${masters}/products/list` as const]: () => superadmin,
  [`${masters}/projects/add-product` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('project', 'Blue'), tool_key: 'shop' },
  }),
  [`${masters}/projects/archive` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('project', 'Cedar') },
  }),
  [`${masters}/projects/create` as const]: () => ({
    ...superadmin,
    input: { name: 'Dune', tool_keys: ['website'], labels: ['retail'] },
  }),
  [`${masters}/projects/get` as const]: ({ id }) => ({ ...superadmin, input: { id: id('project', 'Acme') } }),
  [`${masters}/projects/label` as const]: ({ id }) => ({
    ...superadmin,
    input: { ids: [id('project', 'Acme'), id('project', 'Blue')], add: ['key account'] },
  }),
  [`${masters}/projects/list` as const]: () => ({
    ...superadmin,
    input: { tool_key: 'shop', sort: 'activity', is_descending: true, limit: 2 },
  }),
  [`${masters}/projects/list-customized` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('project', 'Acme') },
  }),
  [`${masters}/projects/list-rollouts` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('project', 'Acme'), limit: 5 },
  }),
  [`${masters}/projects/leave-support` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('project', 'Cedar') },
  }),
  [`${masters}/projects/open-as-support` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('project', 'Cedar'), reason: 'Ticket 4711: the imprint check fails' },
  }),
  [`${masters}/projects/preview` as const]: () => ({ ...superadmin, input: { tool_keys: ['shop'] } }),
  [`${masters}/projects/unarchive` as const]: ({ id }) => ({
    ...superadmin,
    input: { id: id('project', 'Cedar') },
  }),
  [`${masters}/roll-ups/get` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch') },
  }),
  [`${masters}/roll-ups/list-projects` as const]: ({ id }) => ({
    ...superadmin,
    input: { card_id: id('master card', 'Choose a theme'), measure: 'open' },
  }),
  [`${masters}/rollouts/apply` as const]: async ({ latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout() },
    refusal: { code: 'rollout_begun', because: 'The demo has no plan.' },
  }),
  [`${masters}/rollouts/cancel` as const]: async ({ latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout() },
    refusal: {
      code: 'rollout_ended',
      because: 'The demo has so few projects that its rollouts end before anyone can cancel them.',
    },
  }),
  [`${masters}/rollouts/discard` as const]: async ({ latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout() },
    refusal: { code: 'rollout_begun', because: 'The demo has no plan.' },
  }),
  [`${masters}/rollouts/get` as const]: async ({ latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout() },
  }),
  [`${masters}/rollouts/get-project` as const]: async ({ id, latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout(), project_id: id('project', 'Acme') },
  }),
  [`${masters}/rollouts/list` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch') },
  }),
  [`${masters}/rollouts/pause` as const]: async ({ latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout() },
    refusal: { code: 'rollout_not_active', because: 'No rollout of the demo is running.' },
  }),
  [`${masters}/rollouts/plan` as const]: ({ id }) => ({
    ...superadmin,
    input: { board_id: id('master board', 'Website launch'), project_ids: [id('project', 'Acme')] },
  }),
  [`${masters}/rollouts/plan/get-project` as const]: ({ id, created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/rollouts/plan`, 'rollout'), project_id: id('project', 'Acme') },
  }),
  [`${masters}/rollouts/plan/list-cards` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/rollouts/plan`, 'rollout') },
  }),
  [`${masters}/rollouts/plan/list-projects` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/rollouts/plan`, 'rollout'), outcome: 'changed' },
  }),
  [`${masters}/rollouts/resume` as const]: async ({ latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout() },
    refusal: { code: 'rollout_not_paused', because: 'No rollout of the demo is paused.' },
  }),
  [`${masters}/rollouts/retry` as const]: async ({ canceledRollout }) => ({
    ...superadmin,
    input: { id: await canceledRollout() },
  }),
  [`${masters}/rollouts/revert` as const]: ({ created }) => ({
    ...superadmin,
    input: { id: created(`${masters}/rollouts/retry`, 'rollout') },
  }),
  [`${masters}/rollouts/start-next-stage` as const]: async ({ latestRollout }) => ({
    ...superadmin,
    input: { id: await latestRollout() },
    refusal: { code: 'rollout_not_waiting', because: 'No rollout of the demo has stages.' },
  }),
  [`${masters}/trash/list` as const]: () => ({ ...superadmin, input: { limit: 10 } }),

  [`${operations}/activity/list` as const]: ({ id }) => ({
    input: { board_id: id('board', 'Daily operations'), limit: 20 },
  }),
  [`${operations}/boards/create` as const]: () => ({
    input: { title: 'Office move', description: 'Everything until the last box is unpacked.', color: 'teal' },
  }),
  [`${operations}/boards/delete` as const]: ({ created }) => ({
    input: { id: created(`${operations}/boards/create`, 'board') },
  }),
  [`${operations}/boards/get` as const]: ({ id }) => ({ input: { id: id('board', 'Daily operations') } }),
  [`${operations}/boards/get-personal` as const]: ({ id }) => ({
    input: { board_id: id('board', 'Daily operations') },
  }),
  [`${operations}/boards/list` as const]: () => ({ input: { tool_key: 'website' } }),
  [`${operations}/boards/restore` as const]: ({ created }) => ({
    input: { id: created(`${operations}/boards/create`, 'board') },
  }),
  [`${operations}/boards/update` as const]: ({ created }) => ({
    input: { id: created(`${operations}/boards/create`, 'board'), position: 1 },
  }),
  [`${operations}/cards/create` as const]: ({ id }) => ({
    input: {
      title: 'Water the plants',
      group_id: id('group', 'This week'),
      owner_id: id('member', 'Mina Sato'),
      tag_id: id('tag', 'Idea'),
      due_date: '2027-01-29T17:00:00Z',
      priority: 'low',
    },
  }),
  [`${operations}/cards/create-many` as const]: ({ id }) => ({
    input: { titles: ['Order new chairs', 'Order new lamps'], group_id: id('group', 'Inbox') },
  }),
  [`${operations}/cards/delete-many` as const]: ({ createdMany }) => ({
    input: { ids: createdMany(`${operations}/cards/create-many`, 'cards') },
  }),
  [`${operations}/cards/duplicate` as const]: ({ id }) => ({
    input: { id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/cards/restore-many` as const]: ({ createdMany }) => ({
    input: { ids: createdMany(`${operations}/cards/create-many`, 'cards') },
  }),
  [`${operations}/cards/update-many` as const]: ({ id, createdMany }) => ({
    input: {
      cards: createdMany(`${operations}/cards/create-many`, 'cards').map((card) => ({
        id: card,
        group_id: id('group', 'This week'),
        priority: 'high',
      })),
    },
  }),
  [`${operations}/cards/delete` as const]: ({ created }) => ({
    input: { id: created(`${operations}/cards/create`, 'card') },
  }),
  [`${operations}/cards/follow` as const]: ({ id }) => ({
    input: { id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/cards/unfollow` as const]: ({ id }) => ({
    input: { id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/cards/mute` as const]: ({ id }) => ({
    input: { id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/cards/unmute` as const]: ({ id }) => ({
    input: { id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/cards/get` as const]: ({ id }) => ({
    input: { id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/cards/move` as const]: ({ id }) => ({
    input: {
      id: id('card', 'Renew the certificate of the shop'),
      group_id: id('group', 'To check'),
      position: 1,
    },
  }),
  [`${operations}/cards/reset` as const]: ({ id }) => ({
    input: { id: id('card', 'Choose a theme'), fields: ['title', 'place'] },
  }),
  [`${operations}/cards/restore` as const]: ({ created }) => ({
    input: { id: created(`${operations}/cards/create`, 'card') },
  }),
  [`${operations}/cards/stop-updates` as const]: ({ id }) => ({
    input: { id: id('card', 'Choose a theme') },
  }),
  [`${operations}/cards/take-updates` as const]: ({ id }) => ({
    input: { id: id('card', 'Choose a theme') },
  }),
  [`${operations}/cards/search` as const]: () => ({ input: { query: 'customer', is_open: true } }),
  [`${operations}/cards/update` as const]: ({ id }) => ({
    input: { id: id('card', 'Renew the certificate of the shop'), status: 'to_check', priority: 'urgent' },
  }),
  [`${operations}/comments/create` as const]: ({ id }) => ({
    input: {
      card_id: id('card', 'Renew the certificate of the shop'),
      comment: 'The new one is valid until the end of the year.',
    },
  }),
  [`${operations}/comments/delete` as const]: ({ created }) => ({
    input: { id: created(`${operations}/comments/create`, 'comment') },
  }),
  [`${operations}/comments/list` as const]: ({ id }) => ({
    input: { card_id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/comments/mark-read` as const]: ({ id }) => ({
    input: { card_id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/comments/restore` as const]: ({ created }) => ({
    input: { id: created(`${operations}/comments/create`, 'comment') },
  }),
  [`${operations}/comments/unread` as const]: ({ id }) => ({
    input: { board_id: id('board', 'Daily operations') },
  }),
  [`${operations}/comments/update` as const]: ({ created }) => ({
    input: {
      id: created(`${operations}/comments/create`, 'comment'),
      comment: 'The new one is valid until next spring.',
    },
  }),
  [`${operations}/evaluations/report` as const]: () => ({
    input: { check: 'website.has_site_map', passed: true, detail: 'Found at /sitemap.xml' },
  }),
  [`${operations}/evaluations/report-many` as const]: ({ id }) => ({
    input: {
      results: [
        { check: 'website.has_imprint', passed: true },
        {
          check: 'website.has_domain',
          project_id: id('project', 'Acme'),
          passed: false,
          detail: 'The certificate has expired',
        },
      ],
    },
  }),
  [`${operations}/groups/archive` as const]: ({ id }) => ({ input: { id: id('group', 'Review') } }),
  [`${operations}/groups/collapse` as const]: ({ id }) => ({
    input: { id: id('group', 'This week'), is_collapsed: true },
  }),
  [`${operations}/groups/create` as const]: ({ id }) => ({
    input: { board_id: id('board', 'Daily operations'), title: 'Someday', color: 'gray' },
  }),
  [`${operations}/groups/delete` as const]: ({ created }) => ({
    input: { id: created(`${operations}/groups/create`, 'group') },
  }),
  [`${operations}/groups/list-archived` as const]: ({ id }) => ({
    input: { board_id: id('board', 'Spring campaign') },
  }),
  [`${operations}/groups/reorder` as const]: ({ id }) => ({
    input: {
      groups: [
        { id: id('group', 'Inbox'), position: 2 },
        { id: id('group', 'This week'), position: 1 },
      ],
    },
  }),
  [`${operations}/groups/restore-order` as const]: ({ id }) => ({ input: { id: id('group', 'Prepare') } }),
  [`${operations}/groups/restore` as const]: ({ created }) => ({
    input: { id: created(`${operations}/groups/create`, 'group') },
  }),
  [`${operations}/groups/unarchive` as const]: ({ id }) => ({ input: { id: id('group', 'Review') } }),
  [`${operations}/groups/update` as const]: ({ id }) => ({
    input: { id: id('group', 'This week'), color: 'blue', is_collapsed: false },
  }),
  [`${operations}/home/get` as const]: () => ({}),
  [`${operations}/inbox/list` as const]: () => ({ input: { limit: 20 } }),
  [`${operations}/inbox/mark-all-read` as const]: () => ({}),
  [`${operations}/inbox/mark-card-read` as const]: ({ id }) => ({
    input: { card_id: id('card', 'Renew the certificate of the shop') },
  }),
  [`${operations}/inbox/mark-read` as const]: ({ createdMany }) => ({
    input: { items: createdMany(`${operations}/inbox/list`, 'items').slice(0, 2) },
  }),
  [`${operations}/inbox/unread` as const]: () => ({}),
  [`${operations}/inbox/unread-by-project` as const]: () => ({}),
  [`${operations}/presence/show` as const]: ({ id }) => ({
    input: { stream_id: 'window-1', board_id: id('board', 'Daily operations') },
  }),
  [`${operations}/presence/end` as const]: () => ({ input: { stream_id: 'window-1' } }),
  [`${operations}/tags/create` as const]: () => ({ input: { name: 'Garden', color: 'green', icon: 'leaf' } }),
  [`${operations}/tags/delete` as const]: ({ created }) => ({
    input: { id: created(`${operations}/tags/create`, 'tag') },
  }),
  [`${operations}/tags/list` as const]: () => ({}),
  [`${operations}/tags/restore` as const]: ({ created }) => ({
    input: { id: created(`${operations}/tags/create`, 'tag') },
  }),
  [`${operations}/tags/usage` as const]: () => ({}),
  [`${operations}/tags/update` as const]: ({ id }) => ({ input: { id: id('tag', 'Idea'), position: 1 } }),
  [`${operations}/tour/cards/dismiss-all` as const]: () => ({}),
  [`${operations}/tour/cards/list` as const]: () => ({ input: { is_dismissed: true } }),
  [`${operations}/tour/cards/mark-seen` as const]: () => ({}),
  [`${operations}/tour/cards/restore-all` as const]: () => ({}),
  [`${operations}/trash/get` as const]: async ({ deletedCard }) => ({
    input: { kind: 'card', id: await deletedCard() },
  }),
  [`${operations}/trash/list` as const]: () => ({ input: { limit: 20 } }),

  [`${operations}/views/create` as const]: ({ id }) => ({
    input: {
      name: 'Overdue, by assignee',
      board_id: id('board', 'Spring campaign'),
      parameters: 'view=table&due=overdue&group=owner',
      is_shared: true,
    },
  }),
  [`${operations}/views/delete` as const]: ({ created }) => ({
    input: { id: created(`${operations}/views/create`, 'view') },
  }),
  [`${operations}/views/list` as const]: () => ({}),
  [`${operations}/views/update` as const]: ({ id }) => ({
    input: { id: id('view', 'By assignee'), parameters: 'view=table&group=owner&sort=due' },
  }),

  '/services/platforms/v1/orders/book-payment': () => ({
    ...superadmin,
    input: { reference: 'RF18 5390 0754 7034', amount: 29_000 },
    refusal: {
      code: 'order_not_found',
      because: 'The demo is paid with test cards, so it has no open order with this reference.',
    },
  }),
  '/services/platforms/v1/orders/list-open': () => ({ ...superadmin, input: { query: 'acme' } }),
  '/services/platforms/v1/orders/list': () => ({}),
  '/services/platforms/v1/payments/get': ({ id }) => ({
    as: 'owner@cedar.test',
    input: { id: id('payment of', 'Cedar') },
  }),
  '/services/platforms/v1/payments/list': () => ({ as: 'owner@cedar.test' }),
  '/services/platforms/v1/plans/list': () => ({}),
  '/services/platforms/v1/subscriptions/cancel': ({ id }) => ({
    as: 'owner@cedar.test',
    input: { id: id('subscription of', 'Cedar') },
  }),
  '/services/platforms/v1/subscriptions/extend-trial': ({ id }) => ({
    ...superadmin,
    input: { id: id('subscription of', 'Acme'), days: 14 },
  }),
  '/services/platforms/v1/subscriptions/extend-trials': ({ id }) => ({
    ...superadmin,
    input: { ids: [id('project', 'Acme'), id('project', 'Blue')], product: 'website', days: 7 },
  }),
  '/services/platforms/v1/subscriptions/undo-extension': ({ id }) => ({
    ...superadmin,
    input: { ids: [id('project', 'Acme'), id('project', 'Blue')], product: 'website' },
  }),
  '/services/platforms/v1/subscriptions/get': ({ id }) => ({ input: { id: id('subscription of', 'Acme') } }),
  '/services/platforms/v1/subscriptions/list': () => ({}),
  '/services/platforms/v1/subscriptions/list-all': () => ({
    ...superadmin,
    input: { status: 'trialing', sort: 'end', limit: 2 },
  }),
  '/services/platforms/v1/subscriptions/resume': ({ id }) => ({
    as: 'owner@cedar.test',
    input: { id: id('subscription of', 'Cedar') },
  }),
  '/services/platforms/v1/subscriptions/start-trial': () => ({
    ...superadmin,
    input: { product: 'shop', days: 14 },
  }),
  '/services/platforms/v1/subscriptions/summarize': () => ({ ...superadmin }),
  '/services/platforms/v1/subscriptions/upgrade-trial': () => ({
    input: { product: 'website', plan: 'pro', period: 'year' },
  }),

  [`${themes}/campaigns/create` as const]: ({ id }) => ({
    ...superadmin,
    input: {
      version_id: id('theme version', 'Aurora 1.0'),
      reason: 'It does not work with the new editor.',
      replacement_id: id('theme version', 'Borealis 1.0'),
      deadline: '2099-03-31',
    },
  }),
  [`${themes}/campaigns/end` as const]: ({ id }) => ({
    ...superadmin,
    input: { version_id: id('theme version', 'Aurora 2.0') },
    refusal: {
      code: 'campaign_not_found',
      because: 'The other version has one, which the next examples need.',
    },
  }),
  [`${themes}/campaigns/list` as const]: () => ({ ...superadmin }),
  [`${themes}/campaigns/start-moving` as const]: ({ id }) => ({
    ...superadmin,
    input: { version_id: id('theme version', 'Aurora 1.0') },
  }),
  [`${themes}/campaigns/stop-moving` as const]: ({ id }) => ({
    ...superadmin,
    input: { version_id: id('theme version', 'Aurora 1.0') },
  }),
  [`${themes}/campaigns/update` as const]: ({ id }) => ({
    ...superadmin,
    input: {
      version_id: id('theme version', 'Aurora 1.0'),
      reason: 'It does not work with the new editor, and its menu is hard to use.',
      deadline: '2099-04-30',
    },
  }),
  [`${themes}/create` as const]: () => ({ input: { name: 'Meadow' } }),
  [`${themes}/list` as const]: () => ({}),
  [`${themes}/versions/approve` as const]: ({ id }) => ({
    ...superadmin,
    input: { version_id: id('theme version', 'Aurora 2.0') },
  }),
  [`${themes}/versions/browse` as const]: () => ({}),
  [`${themes}/versions/choose` as const]: ({ id }) => ({
    input: { version_id: id('theme version', 'Borealis 1.0') },
  }),
  [`${themes}/versions/chosen` as const]: () => ({}),
  [`${themes}/versions/create` as const]: ({ id }) => ({
    input: { theme_id: id('theme', 'Aurora'), version: '2.1' },
  }),
  [`${themes}/versions/deprecate` as const]: ({ id }) => ({
    input: { version_id: id('theme version', 'Aurora 1.0') },
  }),
  [`${themes}/versions/get` as const]: ({ id }) => ({
    input: { version_id: id('theme version', 'Aurora 2.0') },
  }),
  [`${themes}/versions/list` as const]: () => ({ input: { approval_status: 'approved' } }),
  [`${themes}/versions/publish` as const]: ({ id }) => ({
    input: { version_id: id('theme version', 'Aurora 2.0') },
  }),
  [`${themes}/versions/reject` as const]: ({ id }) => ({
    ...superadmin,
    input: {
      version_id: id('theme version', 'Borealis 1.1'),
      reason: 'The links are hard to see on the dark background.',
    },
  }),
  [`${themes}/versions/restore` as const]: ({ id }) => ({
    ...superadmin,
    input: { version_id: id('theme version', 'Aurora 1.0') },
  }),
  [`${themes}/versions/submit` as const]: ({ created }) => ({
    input: { version_id: created(`${themes}/versions/create`, 'version') },
  }),
  [`${themes}/versions/usage` as const]: ({ id }) => ({
    input: { version_id: id('theme version', 'Aurora 1.0') },
  }),
}
