// What those fields of requests do that are no fields of the answer; the walk compares all others with the answer.
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import { addRecoveryCodes } from '#identity/accounts.ts'
import { password } from '../../service.ts'
import { addTrial, createTrial } from '../../subscription.ts'
import { createTheme } from '../../themes.ts'
import { signIn } from './other.ts'
import { call, type Effects, scene, service, statusOf, template } from './world.ts'

const work = '/services/operations/v1/operations'
const admin = '/services/operations/v1/admin'
const upgradeTrial = '/services/platforms/v1/subscriptions/upgrade-trial'
const versions = '/services/websites/v1/themes/versions'

const totpSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const currentCode = () => new TOTP({ secret: Secret.fromBase32(totpSecret) }).generate()
const authenticate = (input: object) => statusOf({ token: '' }, '/v1/authenticate', { password, ...input })

const idsOf = (things: { id: number }[]) => things.map(({ id }) => id)

/** What the checkout page says of a plan. */
async function pageOf(input: { plan: string; period: string; product: string }) {
  const { owner, projectId } = await createTrial(service)
  await addTrial(service, projectId, { product: 'shop' })
  const { checkout_url } = await call(owner, upgradeTrial, input)
  return (await fetch(checkout_url)).text()
}

async function assertPages(words: Record<string, { plan: string; period: string; product: string }>) {
  for (const [word, input] of Object.entries(words)) {
    const page = await pageOf(input)
    for (const other of Object.keys(words)) assert.equal(page.includes(other), other === word, other)
  }
}

/** The groups of a template as its projects would get them. */
const templateGroups = async (superadmin: { token: string }, id: number) =>
  (await call(superadmin, 'admin/master-boards/get', { id })).board.groups

export const requestEffects: Record<string, Effects> = {
  '/v1/authenticate': {
    email: [
      'is the account',
      async () => {
        const user = await service.addUser()
        assert.equal((await signIn(user)).id, user.id)
        assert.equal(await authenticate({ email: 'nobody@example.test' }), 401)
      },
    ],
    password: [
      'has to be right',
      async () => {
        const { email } = await service.addUser()
        assert.equal(await authenticate({ email }), 200)
        assert.equal(await authenticate({ email, password: `${password}.` }), 401)
      },
    ],
    code: [
      'is needed for two-factor authentication',
      async () => {
        const { email } = await service.addUser({ totpSecret })
        assert.equal(await authenticate({ email }), 403)
        assert.equal(await authenticate({ email, code: '000000x' }), 401)
        assert.equal(await authenticate({ email, code: currentCode() }), 200)
      },
    ],
    is_recovery: [
      'lets a recovery code take the place of the code, once',
      async () => {
        const { email, id } = await service.addUser({ totpSecret })
        await addRecoveryCodes(service.db, id, ['eeee-1111'])
        const recovery = { email, code: 'eeee-1111' }
        assert.equal(await authenticate({ ...recovery, is_recovery: false }), 401)
        assert.equal(await authenticate({ ...recovery, is_recovery: true }), 200)
        assert.equal(await authenticate({ ...recovery, is_recovery: true }), 401)
      },
    ],
    token: [
      'of an earlier sign-in with a code takes the place of the code, once',
      async () => {
        const user = await service.addUser({ totpSecret })
        const { token } = await signIn(user, { code: currentCode() })
        assert.equal(await authenticate({ email: user.email, token }), 200)
        assert.equal(await authenticate({ email: user.email, token }), 403)
      },
    ],
  },
  [`${work}/cards/delete`]: {
    id: [
      'is the card that is deleted',
      async () => {
        const { member, addCard, shownGroup, groupId } = await scene()
        const [first, second] = [await addCard(), await addCard()]
        await call(member, 'cards/delete', { id: second.id })
        assert.deepEqual(idsOf((await shownGroup(groupId)).cards), [first.id])
      },
    ],
  },
  [`${work}/groups/reorder`]: {
    groups: [
      'take the places that they name, around the others',
      async () => {
        const { member, shown, groupId } = await scene()
        const [first, second, third] = idsOf((await shown()).groups)
        await call(member, 'groups/reorder', { groups: [{ id: groupId, position: 2 }] })
        assert.deepEqual(idsOf((await shown()).groups), [second, first, third])
      },
    ],
  },
  [`${work}/boards/get`]: {
    id: [
      'is the board that is shown',
      async () => {
        const { admin: person, shown, boardId } = await scene()
        const { board } = await call(person, 'boards/create', { title: 'Second' })
        assert.equal((await call(person, 'boards/get', { id: board.id })).board.title, 'Second')
        assert.deepEqual([(await shown()).id, (await shown()).title], [boardId, 'Board'])
      },
    ],
  },
  [`${work}/boards/list`]: {
    tool_key: [
      'lists the boards of a tool, in the body or in the query',
      async () => {
        const { admin: person, superadmin, boardId } = await template()
        const { tool_key } = (await call(superadmin, 'admin/master-boards/get', { id: boardId })).board
        await call(person, 'boards/create', { title: 'Own' })
        const titles = async (query: string, input: object) =>
          (await call(person, `boards/list${query}`, input)).boards.map(
            ({ title }: { title: string }) => title,
          )
        assert.deepEqual((await titles('', {})).sort(), ['Launch', 'Own'])
        assert.deepEqual(await titles('', { tool_key }), ['Launch'])
        assert.deepEqual(await titles(`?tool_key=${tool_key}`, {}), ['Launch'])
      },
    ],
  },
  [`${admin}/master-boards/sync`]: {
    board_id: [
      'is the template that is rolled out, and no other',
      async () => {
        const [one, other] = [await template(), await template()]
        await one.change({ title: 'Changed' })
        await other.change({ title: 'Changed' })
        await call(one.superadmin, 'admin/master-boards/sync', { board_id: one.boardId })
        assert.deepEqual([(await one.copy()).title, (await other.copy()).title], ['Changed', 'Template card'])
      },
    ],
  },
  [`${admin}/master-boards/delete`]: {
    id: [
      'is the template that is deleted; projects keep their copies',
      async () => {
        const { superadmin, boardId, shown } = await template()
        await call(superadmin, 'admin/master-boards/delete', { id: boardId })
        assert.equal(await statusOf(superadmin, 'admin/master-boards/get', { id: boardId }), 404)
        assert.equal((await shown()).title, 'Launch')
      },
    ],
  },
  [`${admin}/master-groups/reorder`]: {
    board_id: [
      'is the template whose groups are reordered; groups of another are refused',
      async () => {
        const [one, other] = [await template(), await template()]
        const groups = [{ id: one.groupIds[0], position: 2 }]
        const path = 'admin/master-groups/reorder'
        assert.equal(await statusOf(one.superadmin, path, { board_id: other.boardId, groups }), 422)
        assert.equal(await statusOf(one.superadmin, path, { board_id: one.boardId, groups }), 200)
      },
    ],
    groups: [
      'take the places that they name, in projects with the next rollout',
      async () => {
        const { superadmin, boardId, groupIds, sync, shown } = await template()
        const groups = [{ id: groupIds[0], position: 2 }]
        await call(superadmin, 'admin/master-groups/reorder', { board_id: boardId, groups })
        assert.deepEqual(idsOf(await templateGroups(superadmin, boardId)), [groupIds[1], groupIds[0]])
        await sync()
        assert.deepEqual(
          (await shown()).groups.map(({ title }: { title: string }) => title),
          ['Build', 'Plan'],
        )
      },
    ],
  },
  [`${admin}/master-groups/delete`]: {
    id: [
      'is the group that is deleted; projects keep their copies',
      async () => {
        const { superadmin, boardId, groupIds, shown } = await template()
        await call(superadmin, 'admin/master-groups/delete', { id: groupIds[0] })
        assert.deepEqual(idsOf(await templateGroups(superadmin, boardId)), [groupIds[1]])
        assert.equal((await shown()).groups.length, 2)
      },
    ],
  },
  [`${admin}/master-cards/create`]: {
    push_to_projects: [
      'rolls the new card out',
      async () => {
        const { superadmin, groupIds, copies } = await template()
        for (const [push_to_projects, updated, count] of [
          [false, '0', 1],
          [true, '1', 2],
        ]) {
          const input = { group_id: groupIds[0], title: 'New', push_to_projects }
          const { projects_updated } = await call(superadmin, 'admin/master-cards/create', input)
          assert.deepEqual([projects_updated, (await copies()).length], [updated, count])
        }
      },
    ],
  },
  [`${admin}/master-cards/push`]: {
    card_id: [
      'is the card that is rolled out, without the rest of its template',
      async () => {
        const { superadmin, addCard, copies } = await template()
        await addCard({ title: 'Left out' })
        const { id } = await addCard({ title: 'Rolled out' })
        await call(superadmin, 'admin/master-cards/push', { card_id: id })
        assert.deepEqual(
          (await copies()).map(({ title }: { title: string }) => title),
          ['Template card', 'Rolled out'],
        )
      },
    ],
  },
  [`${admin}/master-cards/delete`]: {
    id: [
      'is the card that is deleted',
      async () => {
        const { superadmin, boardId, card, addCard } = await template()
        const kept = await addCard()
        await call(superadmin, 'admin/master-cards/delete', { id: card.id })
        assert.deepEqual(idsOf((await templateGroups(superadmin, boardId))[0].cards), [kept.id])
      },
    ],
    delete_from_projects: [
      'deletes the copies too, which stay otherwise',
      async () => {
        for (const delete_from_projects of [false, true]) {
          const { superadmin, card, copies } = await template()
          await call(superadmin, 'admin/master-cards/delete', { id: card.id, delete_from_projects })
          assert.equal((await copies()).length, delete_from_projects ? 0 : 1)
        }
      },
    ],
  },
  [upgradeTrial]: {
    plan: [
      'is what is paid for',
      () =>
        assertPages({
          'Website Starter': { plan: 'starter', period: 'month', product: 'website' },
          'Website Pro': { plan: 'pro', period: 'month', product: 'website' },
        }),
    ],
    period: [
      'is how often it is paid for',
      () =>
        assertPages({
          'a month': { plan: 'pro', period: 'month', product: 'website' },
          'a year': { plan: 'pro', period: 'year', product: 'website' },
        }),
    ],
    product: [
      'is the product of the subscription',
      () =>
        assertPages({
          'Website Pro': { plan: 'pro', period: 'month', product: 'website' },
          'Shop Pro': { plan: 'pro', period: 'month', product: 'shop' },
        }),
    ],
  },
  '/services/websites/v1/themes/versions/deprecate': {
    version_id: [
      'is the version that is deprecated, if it is approved',
      async () => {
        const { addVersion, members } = await createTheme(service)
        const [approved, draft] = [await addVersion('approved'), await addVersion('draft')]
        assert.equal(await statusOf(members.admin, `${versions}/deprecate`, { version_id: draft }), 400)
        await call(members.admin, `${versions}/deprecate`, { version_id: approved })
        const statusOfVersion = async (version_id: number) =>
          (await call(members.admin, `${versions}/get`, { version_id })).version.theme_status
        assert.deepEqual(
          [await statusOfVersion(approved), await statusOfVersion(draft)],
          ['deprecated', 'draft'],
        )
      },
    ],
  },
}
