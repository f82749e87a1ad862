import assert from 'node:assert/strict'
import test from 'node:test'
import { firstPlatform } from '#projects/platform.ts'
import { reachedQuota, usualQuotas } from '#quotas/quotas.ts'
import { startTestService } from '#tests/service.ts'
import { createWholeTemplate } from './creating.ts'

const { db, addUser } = await startTestService()
const { id: actorId } = await addUser({ superadmin: true })
const by = { platformId: await firstPlatform(db), actorId }

const countTemplates = async () => (await db.sql`select from master_boards`).length

test('a template is created with its groups and cards in their order, as a draft', async () => {
  const created = await createWholeTemplate(db, usualQuotas, by, {
    title: 'Launch',
    icon: 'globe',
    groups: [
      { title: 'Prepare', description: 'First.', cards: [{ title: 'a', tour_key: 'tour' }, { title: 'b' }] },
      { title: 'Empty', cards: [] },
      {
        title: 'Open',
        cards: [{ title: 'c', unique_identifier: 'launch-c', priority: 'high', is_active: false }],
      },
    ],
  })
  assert.ok(created !== 'identifier taken')
  const { title, icon, version, has_draft_changes, groups } = created
  assert.deepEqual([title, icon, version, has_draft_changes], ['Launch', 'globe', 0, true])
  const shown = groups.map((group) => [
    group.title,
    group.description,
    group.cards.map((card) => [card.title, card.sort_order, card.priority, card.status, card.is_active]),
  ])
  assert.deepEqual(shown, [
    [
      'Prepare',
      'First.',
      [
        ['a', 1, 'normal', 'open', true],
        ['b', 2, 'normal', 'open', true],
      ],
    ],
    ['Empty', null, []],
    ['Open', null, [['c', 1, 'high', 'open', false]]],
  ])
  assert.equal(groups[0]?.cards[0]?.tour_key, 'tour')
  assert.equal(groups[2]?.cards[0]?.unique_identifier, 'launch-c')
})

test('a template with an identifier that another card has is not created', async () => {
  const before = await countTemplates()
  const cards = [{ title: 'Another', unique_identifier: 'launch-c' }]
  const outcome = await createWholeTemplate(db, usualQuotas, by, {
    title: 'Second',
    groups: [{ title: 'Prepare', cards }],
  })
  assert.equal(outcome, 'identifier taken')
  assert.equal(await countTemplates(), before)
})

test('a template that is larger than a board may be is not created', async () => {
  const before = await countTemplates()
  const creating = createWholeTemplate(db, { ...usualQuotas, cardsPerGroup: 1 }, by, {
    title: 'Large',
    groups: [{ title: 'Prepare', cards: [{ title: 'a' }, { title: 'b' }] }],
  })
  await assert.rejects(creating, (error) => reachedQuota(error)?.quota === 'cardsPerGroup')
  assert.equal(await countTemplates(), before)
})
