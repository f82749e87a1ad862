// A request for each operation of the contract that has every field and succeeds, and people who may and may not send it.

import { createMaster } from '../master.ts'
import { post } from '../post.ts'
import { password, type TestService } from '../service.ts'
import { addTrial } from '../subscription.ts'
import { createTheme } from '../themes.ts'

const work = '/services/operations/v1/operations'
const admin = '/services/operations/v1/admin'

export interface Request {
  /** A token that may, and one that may not. */
  as?: string
  notAs?: string
  /** A new request each time, because some delete what they name. */
  input(): Promise<object> | object
  /** What a request for a missing thing has instead. */
  missing?: object
}

export const noId = 999_999_999

export async function createScene(service: TestService) {
  const master = await createMaster(service, { projects: 1, cards: 0 })
  const masterCard = await master.admin.call(`${admin}/master-cards/create`, {
    group_id: master.groupIds[0],
    title: 'Publish the imprint',
    description: 'On every page.',
    unique_identifier: 'imprint',
    evaluation_check: 'website.has_imprint',
    tour_key: 'imprint',
    short_description: 'With the address',
  })
  await master.sync()
  const [project] = master.projects as [(typeof master.projects)[number]]
  const copy = await master.copyIn(project)
  const [group] = copy.groups as [(typeof copy.groups)[number]]
  const card = group.cards[0] as (typeof group.cards)[number]
  const owner = await service.addUser({ roles: { [project.id]: 'owner' } })
  const viewer = await service.addUser({ roles: { [project.id]: 'viewer' } })
  const outsider = await service.addUser()
  const speaker = await service.addUser()
  await service.client(speaker.token).call('/services/identity/v1/users/update', { language: 'de' })
  const { tag } = await project.client.call(`${work}/tags/create`, { name: 'Law' })
  await project.client.call(`${work}/cards/update`, {
    id: card.id,
    owner_id: owner.id,
    tag_id: tag.id,
    due_date: '2030-01-31',
    snoozed_until: '2030-01-30',
  })
  const { comment } = await project.client.call(`${work}/comments/create`, {
    card_id: card.id,
    comment: 'Done?',
  })
  await addTrial(service, project.id)
  const theme = await createTheme(service)
  const versionId = await theme.addVersion('approved')
  const secured = await service.addUser({ totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' })

  const member = { as: owner.token, notAs: viewer.token }
  const reader = { as: viewer.token, notAs: outsider.token }
  const superadmin = { as: master.superadmin.token, notAs: owner.token }
  let identifiers = 0
  const newBoard = async () =>
    (await master.admin.call(`${admin}/master-boards/create`, { title: 'Another', tool_key: 'shop' })).board
      .id
  const newGroup = async () =>
    (await master.admin.call(`${admin}/master-groups/create`, { board_id: master.boardId, title: 'New' }))
      .group.id
  const newMasterCard = () => master.addCard({ title: 'New' })
  const newCard = async () =>
    (await project.client.call(`${work}/cards/create`, { title: 'New', group_id: group.id })).card.id
  const places = (first: number, second: number) => [
    { id: first, position: 2 },
    { id: second, position: 1 },
  ]

  const requests: Record<string, Request> = {
    '/v1/authenticate': {
      input: () => ({ email: speaker.email, password, token: null, code: null, is_recovery: null }),
    },
    [`${work}/cards/create`]: {
      ...member,
      input: () => ({
        title: 'Answer the review',
        description: 'By mail.',
        group_id: group.id,
        status: 'waiting for Ada',
        owner_id: viewer.id,
        tag_id: tag.id,
        due_date: '2030-01-31T08:00:00.000Z',
        priority: 'high',
      }),
    },
    [`${work}/cards/delete`]: { ...member, input: async () => ({ id: await newCard() }) },
    [`${work}/groups/update`]: {
      ...member,
      input: () => ({
        id: group.id,
        title: 'First steps',
        description: 'Before the launch.',
        type: 'todo',
        color: 'green',
        icon: 'leaf',
        position: 2,
        is_collapsed: true,
      }),
    },
    [`${work}/groups/reorder`]: {
      ...member,
      input: () => ({ groups: places(copy.groups[0]?.id as number, copy.groups[1]?.id as number) }),
    },
    [`${work}/comments/create`]: {
      ...member,
      input: () => ({ card_id: card.id, comment: 'Yes.', parent_comment_id: comment.id }),
    },
    [`${work}/tags/create`]: {
      ...member,
      input: () => ({ name: 'Urgent', color: 'red', icon: 'flame', position: 1 }),
    },
    [`${work}/boards/get`]: { ...reader, input: () => ({ id: copy.id }) },
    [`${work}/boards/list`]: { ...reader, input: () => ({ tool_key: master.toolKey }) },
    [`${work}/tour/cards/dismiss-all`]: { ...member, input: () => ({}) },
    [`${admin}/master-boards/list`]: { ...superadmin, input: () => ({}) },
    [`${admin}/master-boards/sync`]: { ...superadmin, input: () => ({ board_id: master.boardId }) },
    [`${admin}/master-boards/delete`]: { ...superadmin, input: async () => ({ id: await newBoard() }) },
    [`${admin}/master-groups/create`]: {
      ...superadmin,
      input: () => ({ board_id: master.boardId, title: 'After', description: 'Once it is live.' }),
    },
    [`${admin}/master-groups/update`]: {
      ...superadmin,
      input: () => ({ id: master.groupIds[1], title: 'Make', description: 'Pages and texts.' }),
    },
    [`${admin}/master-groups/reorder`]: {
      ...superadmin,
      input: () => ({ board_id: master.boardId, groups: places(...master.groupIds) }),
    },
    [`${admin}/master-groups/delete`]: { ...superadmin, input: async () => ({ id: await newGroup() }) },
    [`${admin}/master-cards/create`]: {
      ...superadmin,
      input: () => ({
        group_id: master.groupIds[0],
        title: 'Choose a theme',
        description: 'One of ours.',
        unique_identifier: `theme-${++identifiers}`,
        evaluation_check: 'website.has_theme',
        tour_key: 'theme',
        short_description: 'Or two',
        status: 'blocked',
        is_active: true,
        priority: 'urgent',
        push_to_projects: false,
      }),
    },
    [`${admin}/master-cards/push`]: { ...superadmin, input: () => ({ card_id: masterCard.card.id }) },
    [`${admin}/master-cards/delete`]: {
      ...superadmin,
      input: async () => ({ id: await newMasterCard(), delete_from_projects: true }),
    },
    '/services/platforms/v1/subscriptions/upgrade-trial': {
      ...member,
      input: () => ({ plan: 'pro', period: 'year', product: 'website' }),
      missing: { plan: 'pro', period: 'year', product: 'shop' },
    },
    '/services/websites/v1/themes/versions/deprecate': {
      as: theme.members.admin.token,
      notAs: theme.members.member.token,
      input: () => ({ version_id: versionId }),
    },
  }
  /** Sends a request; by default as someone who may, with an input that succeeds. */
  const send = async (
    path: string,
    { token = requests[path]?.as ?? '', input }: { token?: string; input?: object } = {},
  ) => post(service, path, token, input ?? (await requests[path]?.input()))

  return { requests, send, secured }
}
