import assert from 'node:assert/strict'
import {
  attempt,
  call,
  type Effects,
  platformOf,
  scene,
  statusOf,
  superadminsOf,
  template,
  times,
} from './world.ts'

const ids = (cards: { id: number }[]) => cards.map(({ id }) => id)
const past = '2020-01-31T08:00:00.000Z'

export const cardEffects: Effects = {
  id: [
    'names the card in operations on it',
    async () => {
      const { member, addCard, shownGroup, groupId } = await scene()
      const first = await addCard()
      const second = await addCard()
      await call(member, 'cards/delete', { id: first.id })
      assert.deepEqual(ids((await shownGroup(groupId)).cards), [second.id])
    },
  ],
  project_id: [
    'is the project whose people see the card, and null for a template card',
    async () => {
      const { projectId, addCard, viewer, stranger } = await scene()
      const card = await addCard()
      assert.equal(card.project_id, projectId)
      assert.equal(await statusOf(viewer, 'cards/get', { id: card.id }), 200)
      assert.equal(await statusOf(stranger, 'cards/get', { id: card.id }), 403)
      assert.equal((await template()).card.project_id, null)
    },
  ],
  platform_id: [
    'is the platform of its project or template, whose superadmins reach it and those of another do not',
    async () => {
      const { projectId, addCard } = await scene()
      const { id, platform_id } = await addCard()
      assert.equal(platform_id, await platformOf(projectId))
      const [own, other] = await superadminsOf(platform_id)
      assert.equal(await statusOf(own, 'cards/get', { id }), 200)
      assert.equal(await statusOf(other, 'cards/get', { id }), 403)
      const { card, copy, projectId: receiver } = await template()
      assert.equal(card.platform_id, await platformOf(receiver))
      assert.equal((await copy()).platform_id, card.platform_id)
    },
  ],
  master_card_id: [
    'is the template card whose changes a rollout brings, and null for cards of your own',
    async () => {
      const { addCard } = await scene()
      assert.equal((await addCard()).master_card_id, null)
      const { card, copy, change, sync } = await template()
      assert.equal((await copy()).master_card_id, card.id)
      await change({ title: 'Changed' })
      await sync()
      assert.equal((await copy()).title, 'Changed')
    },
  ],
  group_id: [
    'is the group that shows the card',
    async () => {
      const { member, addCard, shownGroup, groupId, secondGroupId } = await scene()
      const { id } = await addCard()
      const { card } = await call(member, 'cards/move', { id, group_id: secondGroupId })
      assert.equal(card.group_id, secondGroupId)
      assert.deepEqual(ids((await shownGroup(groupId)).cards), [])
      assert.deepEqual(ids((await shownGroup(secondGroupId)).cards), [id])
    },
  ],
  owner_id: [
    'is the person who finds the card under My cards',
    async () => {
      const { member, viewer, addCard, changeCard, search } = await scene()
      const { id, owner_id } = await addCard({ owner_id: viewer.id })
      assert.equal(owner_id, viewer.id)
      assert.deepEqual(await search({ is_mine: true }, viewer), [id])
      await changeCard(id, { owner_id: member.id })
      assert.deepEqual(await search({ is_mine: true }, viewer), [])
      assert.deepEqual(await search({ is_mine: true }, member), [id])
    },
  ],
  tag_id: [
    'is a tag of the project, until the tag is deleted',
    async () => {
      const { admin, addCard, addTag, readCard } = await scene()
      const tag = await addTag()
      const { id, tag_id } = await addCard({ tag_id: tag.id })
      assert.equal(tag_id, tag.id)
      await call(admin, 'tags/delete', { id: tag.id })
      assert.equal((await readCard(id)).tag_id, null)
    },
  ],
  created_by: [
    'is the only member who may delete the card',
    async () => {
      const { member, owner, groupId, addCard } = await scene()
      const own = await addCard()
      const other = (await call(owner, 'cards/create', { title: 'Card', group_id: groupId })).card
      assert.deepEqual([own.created_by, other.created_by], [member.id, owner.id])
      assert.equal(await statusOf(member, 'cards/delete', { id: other.id }), 403)
      assert.equal(await statusOf(member, 'cards/delete', { id: own.id }), 200)
    },
  ],
  sort_order: [
    'keeps the first order through moves, and groups/restore-order returns to it',
    async () => {
      const { member, addCard, readCard, shownGroup, groupId } = await scene()
      const cards = [await addCard(), await addCard(), await addCard()]
      const [first, , last] = cards
      assert.ok(first.sort_order < cards[1].sort_order && cards[1].sort_order < last.sort_order)
      await call(member, 'cards/move', { id: last.id, position: 1 })
      assert.equal((await readCard(last.id)).sort_order, last.sort_order)
      await call(member, 'groups/restore-order', { id: groupId })
      assert.deepEqual(ids((await shownGroup(groupId)).cards), ids(cards))
    },
  ],
  position: [
    'is the place in the group, counted from 1',
    async () => {
      const { member, addCard, readCard, shownGroup, groupId } = await scene()
      const [first, second] = [await addCard(), await addCard()]
      assert.deepEqual([first.position, second.position], [1, 2])
      await call(member, 'cards/move', { id: second.id, position: 1 })
      assert.deepEqual(ids((await shownGroup(groupId)).cards), [second.id, first.id])
      assert.equal((await readCard(first.id)).position, 2)
    },
  ],
  is_master: [
    'is true for a template card, false for its copies and for cards of a project',
    async () => {
      const { addCard } = await scene()
      const { card, copy } = await template()
      assert.deepEqual([card.is_master, (await copy()).is_master], [true, false])
      assert.equal((await addCard()).is_master, false)
    },
  ],
  is_active: [
    'false takes the card out of searches for open cards; an inactive template card is not rolled out',
    async () => {
      const { addCard, changeCard, search } = await scene()
      const { id, is_active } = await addCard()
      assert.equal(is_active, true)
      assert.deepEqual(await search({ is_open: true }), [id])
      assert.equal((await changeCard(id, { is_active: false })).is_active, false)
      assert.deepEqual(await search({ is_open: true }), [])
      const { copies } = await template({ is_active: false })
      assert.deepEqual(await copies(), [])
    },
  ],
  is_overdue: [
    'is true after the due date, unless the card is closed',
    async () => {
      const { addCard, changeCard } = await scene()
      const isOverdueWith = async (fields: object) => {
        const { id } = await addCard({ due_date: past })
        return (await changeCard(id, fields)).is_overdue
      }
      assert.equal(await isOverdueWith({}), true)
      assert.equal(await isOverdueWith({ due_date: '2099-01-31' }), false)
      assert.equal(await isOverdueWith({ due_date: null }), false)
      assert.equal(await isOverdueWith({ status: 'closed' }), false)
    },
  ],
  unique_identifier: [
    'is the same in all copies, and no two template cards share it',
    async () => {
      const { copy, addCard, superadmin, groupIds } = await template({ unique_identifier: 'terms' })
      assert.equal((await copy()).unique_identifier, 'terms')
      const taken = { group_id: groupIds[0], title: 'Other', unique_identifier: 'terms' }
      const { status, body } = await attempt(superadmin, 'admin/master-cards/create', taken)
      assert.deepEqual([status, Object.keys(body.errors ?? {})], [422, ['unique_identifier']])
      assert.equal((await addCard({ unique_identifier: 'other terms' })).unique_identifier, 'other terms')
    },
  ],
  evaluation_check: [
    'is the check whose results close and reopen the card',
    async () => {
      const { admin, copy, addCard, sync, copies } = await template({ evaluation_check: 'site.is_live' })
      await addCard({ evaluation_check: 'site.has_terms' })
      await sync()
      const report = (check: string, passed: boolean) => call(admin, 'evaluations/report', { check, passed })
      assert.equal((await copy()).evaluation_check, 'site.is_live')
      assert.equal((await report('site.is_live', true)).matched, 1)
      const statuses = async () => (await copies()).map(({ status }: { status: string }) => status)
      assert.deepEqual(await statuses(), ['closed', 'open'])
      await report('site.is_live', false)
      assert.deepEqual(await statuses(), ['open', 'open'])
      assert.equal((await report('site.is_unknown', true)).matched, 0)
    },
  ],
  tour_key: [
    'makes the card a step of the tour, which is dismissed and brought back as a whole',
    async () => {
      const { admin, copy, addCard, sync } = await template({ tour_key: 'first-card' })
      await addCard()
      await sync()
      const steps = async () =>
        (await call(admin, 'tour/cards/list')).cards.map((card: { tour_key: string }) => card.tour_key)
      assert.deepEqual(await steps(), ['first-card'])
      await call(admin, 'tour/cards/dismiss-all')
      await sync()
      assert.deepEqual([await steps(), (await copy()).is_active], [[], false])
      await call(admin, 'tour/cards/restore-all')
      assert.deepEqual([await steps(), (await copy()).is_active], [['first-card'], true])
    },
  ],
  short_description: [
    'is searched, and rolled out with the template',
    async () => {
      const { addCard, changeCard, search } = await scene()
      const { id } = await addCard()
      assert.deepEqual(await search({ query: 'zeppelin' }), [])
      await changeCard(id, { short_description: 'By zeppelin' })
      assert.deepEqual(await search({ query: 'zeppelin' }), [id])
      const { copy, change, sync } = await template()
      await change({ short_description: 'By train' })
      await sync()
      assert.equal((await copy()).short_description, 'By train')
    },
  ],
  title: [
    'is searched',
    async () => {
      const { addCard, changeCard, search } = await scene()
      const { id } = await addCard({ title: 'Order a zeppelin' })
      assert.deepEqual(await search({ query: 'zeppelin' }), [id])
      await changeCard(id, { title: 'Order a train' })
      assert.deepEqual(await search({ query: 'zeppelin' }), [])
    },
  ],
  description: [
    'is searched, and cleaned if it is HTML',
    async () => {
      const { addCard, changeCard, search } = await scene()
      const { id } = await addCard({ description: 'By zeppelin' })
      assert.deepEqual(await search({ query: 'zeppelin' }), [id])
      const { description } = await changeCard(id, {
        description: '<p>By <b>train</b></p><script>steal()</script>',
      })
      assert.equal(description, '<p>By <b>train</b></p>')
      assert.deepEqual(await search({ query: 'zeppelin' }), [])
    },
  ],
  status: [
    'closed takes the card out of searches for open cards; any other word leaves it there',
    async () => {
      const { addCard, changeCard, search } = await scene()
      const { id, status } = await addCard()
      assert.equal(status, 'open')
      await changeCard(id, { status: 'waiting for Ada' })
      assert.deepEqual(await search({ is_open: true }), [id])
      await changeCard(id, { status: 'closed' })
      assert.deepEqual(await search({ is_open: true }), [])
    },
  ],
  priority: [
    'is normal unless it is chosen, and follows the template until the project chooses its own',
    async () => {
      const { addCard } = await scene()
      assert.equal((await addCard()).priority, 'normal')
      const { admin, copy, change, sync } = await template({ priority: 'low' })
      assert.equal((await copy()).priority, 'low')
      await change({ priority: 'high' })
      await sync()
      assert.equal((await copy()).priority, 'high')
      await call(admin, 'cards/update', { id: (await copy()).id, priority: 'urgent' })
      await change({ priority: 'normal' })
      await sync()
      assert.equal((await copy()).priority, 'urgent')
    },
  ],
  due_date: [
    'orders My cards, the earliest first',
    async () => {
      const { member, addCard, changeCard, search } = await scene()
      const owner_id = member.id
      const late = await addCard({ owner_id, due_date: '2031-01-31' })
      const early = await addCard({ owner_id, due_date: '2030-01-31' })
      assert.equal(early.due_date, '2030-01-31T00:00:00.000Z')
      assert.deepEqual(await search({ is_mine: true }), [early.id, late.id])
      await changeCard(early.id, { due_date: '2032-01-31' })
      assert.deepEqual(await search({ is_mine: true }), [late.id, early.id])
    },
  ],
  snoozed_until: [
    'is shown with the card on its board and in searches until it is removed',
    async () => {
      const { viewer, addCard, changeCard, shownGroup, groupId } = await scene()
      const { id } = await addCard()
      const until = '2099-01-31T08:00:00.000Z'
      for (const snoozed_until of [until, null]) {
        await changeCard(id, { snoozed_until })
        const [onBoard] = (await shownGroup(groupId)).cards
        const [found] = (await call(viewer, 'cards/search')).cards
        assert.deepEqual([onBoard.snoozed_until, found.snoozed_until], [snoozed_until, snoozed_until])
      }
    },
  ],
  ...times(async () => {
    const { member, addCard, changeCard, shownGroup, groupId } = await scene()
    const { id } = await addCard()
    return {
      read: async () => (await shownGroup(groupId)).cards[0],
      change: (title) => changeCard(id, { title }),
      async remove() {
        await call(member, 'cards/delete', { id })
        const { thing } = await call(member, 'trash/get', { kind: 'card', id })
        assert.ok(Date.parse(thing.deleted_at) <= Date.now())
      },
      restore: () => call(member, 'cards/restore', { id }),
    }
  }),
}

export const newCardEffects: Effects = {
  ...cardEffects,
  card_type: [
    'says where the card is from, and cards/search finds cards by it',
    async () => {
      const { addCard, search } = await scene()
      const { id, card_type } = await addCard()
      assert.equal(card_type, 'custom')
      assert.deepEqual(await search({ card_type: 'custom' }), [id])
      assert.deepEqual(await search({ card_type: 'template' }), [])
      const { admin, addCard: addMaster, sync, copies } = await template({ tour_key: 'first-card' })
      await addMaster()
      await sync()
      const [tour, plain] = await copies()
      const found = async (type: string) =>
        ids((await call(admin, 'cards/search', { card_type: type })).cards)
      assert.deepEqual([await found('tour'), await found('template')], [[tour.id], [plain.id]])
    },
  ],
}
