// 32 clients work on one board at the same time, on two instances; at the end nothing is lost, doubled or out of place.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { effort } from '#tests/effort.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { randomNumbers } from '#tests/random.ts'
import { startTestService } from '#tests/service.ts'
import { assertSizesTrue } from '#tests/sizes.ts'

const operations = '/services/operations/v1/operations'
const clients = 32
const seconds = 2 * effort

const service = await startTestService()
const second = await startTestService({}, service.address)

/** What a client knows of a card that it alone deletes, restores, renames and carries to other groups; all move all within them. */
interface OwnCard {
  title: string
  groupId: number
  isDeleted: boolean
}

test('32 clients create, rename, move, delete and restore cards and reorder groups: nothing is lost or doubled', async () => {
  const fixture = await createBoard(service, { cards: 5 })
  const { boardId, groupIds, projectId } = fixture
  const { token } = fixture.members.admin
  const stream = await openStream(second, token)
  await until(() => stream.messages.length === 1, 'the first message')
  const everyCard = [...fixture.cardIds]
  const acknowledged = {
    'card.created': 0,
    'card.updated': 0,
    'card.deleted': 0,
    'card.restored': 0,
  }
  let carried = 0
  let movesWithin = 0
  const deadline = Date.now() + seconds * 1000

  async function work(number: number): Promise<Map<number, OwnCard>> {
    const client = (number % 2 === 0 ? service : second).client(token)
    const own = new Map<number, OwnCard>()
    const random = randomNumbers(number)
    const pick = <Item>(items: readonly Item[]) => items[random(items.length)] as Item
    const steps = {
      async create() {
        const title = `Card of ${number}`
        const groupId = pick(groupIds)
        const { card } = await client.call(`${operations}/cards/create`, { title, group_id: groupId })
        own.set(card.id, { title, groupId, isDeleted: false })
        everyCard.push(card.id)
        acknowledged['card.created']++
      },
      async rename() {
        const [id, card] = pick([...own].filter(([, { isDeleted }]) => !isDeleted)) ?? []
        if (id === undefined || !card) return
        const title = `Renamed ${random(1e9)}`
        await client.call(`${operations}/cards/update`, { id, title })
        card.title = title
        acknowledged['card.updated']++
      },
      async move() {
        const position = random(12)
        const moved = await client.attempt(`${operations}/cards/move`, { id: pick(everyCard), position })
        assert.ok(moved.ok || moved.status === 404, JSON.stringify(moved))
        if (moved.ok) movesWithin++
      },
      async carry() {
        const [id, card] = pick([...own].filter(([, { isDeleted }]) => !isDeleted)) ?? []
        if (id === undefined || !card) return
        const groupId = pick(groupIds.filter((other) => other !== card.groupId))
        const position = random(12)
        await client.call(`${operations}/cards/move`, { id, group_id: groupId, position })
        card.groupId = groupId
        carried++
      },
      async remove() {
        const [id, card] = pick([...own].filter(([, { isDeleted }]) => !isDeleted)) ?? []
        if (id === undefined || !card) return
        await client.call(`${operations}/cards/delete`, { id })
        card.isDeleted = true
        acknowledged['card.deleted']++
      },
      async restore() {
        const [id, card] = pick([...own].filter(([, { isDeleted }]) => isDeleted)) ?? []
        if (id === undefined || !card) return
        await client.call(`${operations}/cards/restore`, { id })
        card.isDeleted = false
        acknowledged['card.restored']++
      },
      async reorder() {
        const groups = groupIds.map((id) => ({
          id,
          position: 1 + random(groupIds.length),
        }))
        await client.call(`${operations}/groups/reorder`, { groups })
      },
    }
    const weighted = [
      steps.create,
      steps.create,
      steps.move,
      steps.move,
      steps.carry,
      steps.carry,
      steps.rename,
      steps.remove,
      steps.restore,
      steps.reorder,
    ]
    while (Date.now() < deadline) await pick(weighted)()
    return own
  }

  const owned = await Promise.all(Array.from({ length: clients }, (_, number) => work(number)))

  const { board } = await service.client(token).call(`${operations}/boards/get`, { id: boardId })
  const onBoard = board.groups.flatMap((group) => group.cards)
  const titles = new Map(onBoard.map((card) => [card.id, card.title]))
  assert.equal(titles.size, onBoard.length, 'a card is on the board twice')
  const expected = new Map<number, string>(fixture.cardIds.map((id, index) => [id, `Card ${index + 1}`]))
  for (const own of owned) for (const [id, card] of own) if (!card.isDeleted) expected.set(id, card.title)
  assert.deepEqual(
    [...titles].sort(([a], [b]) => a - b),
    [...expected].sort(([a], [b]) => a - b),
  )
  for (const own of owned)
    for (const [id, { groupId, isDeleted }] of own)
      assert.equal(onBoard.find((card) => card.id === id)?.group_id, isDeleted ? undefined : groupId)
  for (const group of board.groups)
    assert.deepEqual(
      group.cards.map((card) => card.position),
      group.cards.map((_card, index) => index + 1),
    )
  assert.deepEqual(
    board.groups.map((group) => group.position),
    [1, 2, 3],
  )

  const counts = await service.db.sql<{ kind: string; count: number }[]>`
    select kind, count(*) as count from events where project_id = ${projectId} group by kind`
  const written = Object.fromEntries(counts.map(({ kind, count }) => [kind, count]))
  for (const [kind, count] of Object.entries(acknowledged))
    assert.equal(written[kind] ?? 0, count + (kind === 'card.created' ? fixture.cardIds.length : 0), kind)
  const [moves] = await service.db.sql<{ carried: number; within: number }[]>`
    select count(*) filter (where data ->> 'from_group_id' <> data ->> 'group_id') as carried,
      count(*) filter (where data ->> 'from_group_id' = data ->> 'group_id') as within
    from events where project_id = ${projectId} and kind = 'card.moved'`
  assert.equal(moves?.carried, carried)
  // A move to the place where the card is already is acknowledged and changes nothing.
  assert.ok(moves && moves.within > 0 && moves.within <= movesWithin, `${moves?.within} of ${movesWithin}`)

  const all = await service.db.sql<{ id: number }[]>`
    select id from events where project_id = ${projectId} and kind not like 'board%' and kind not in ('group.created')
    order by id offset ${fixture.cardIds.length}`
  await until(() => stream.events().length >= all.length, 'the last event', 20)
  await stream.close()
  const delivered = stream.events().map((event) => event.id)
  assert.deepEqual(
    delivered.toSorted((a, b) => a - b),
    all.map((event) => event.id),
    'the stream delivered other events than were written',
  )
  for (const cardId of everyCard) {
    const ids = stream.events().flatMap((event) => (event.card_id === cardId ? [event.id] : []))
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
      'the events of a card came out of order',
    )
  }
})

test('a read never shows a board older than an acknowledged write, on any instance', async () => {
  const fixture = await createBoard(service, { cards: 1 })
  const { token } = fixture.members.member
  const id = fixture.cardIds[0] as number
  let acknowledged = 0
  let isWriting = true
  const writing = (async () => {
    for (let number = 1; number <= 50 * effort; number++) {
      await fixture.member.call(`${operations}/cards/update`, { id, title: `Title ${number}` })
      acknowledged = number
    }
    isWriting = false
  })()
  let reads = 0
  const reading = Array.from({ length: 8 }, async (_, number) => {
    const client = (number % 2 === 0 ? service : second).client(token)
    while (isWriting) {
      const before = acknowledged
      const { board } = await client.call(`${operations}/boards/get`, { id: fixture.boardId })
      const shown = Number(board.groups[0]?.cards[0]?.title.replace(/\D/g, ''))
      assert.ok(shown >= before, `shown ${shown} after ${before} was acknowledged`)
      reads++
    }
  })
  await Promise.all([writing, ...reading])
  assert.ok(reads > 100, `only ${reads} reads`)
})

test('afterwards the stored size of each board is correct', () => assertSizesTrue(service.db))
