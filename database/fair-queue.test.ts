import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { effort } from '#tests/effort.ts'
import { randomNumbers } from '#tests/random.ts'
import { createFairQueue, type Turn } from './fair-queue.ts'

/** A queue with a simulated clock, and work that ends when the test says so. */
function startScene({
  slots = 10,
  places = 1000,
  isAlsoByAge = false,
  rests = false,
  longMilliseconds = 20_000,
} = {}) {
  let time = 0
  const queue = createFairQueue({
    slots,
    places,
    isAlsoByAge,
    rests,
    longMilliseconds,
    longestWaitMilliseconds: 10_000,
    longestPauseMilliseconds: 30_000,
    refusal: (hasBegun) => new Error(hasBegun ? 'cut' : 'refused'),
    now: () => time,
  })
  const running: { by: string; endsAt: number; end(): void }[] = []

  /** Adds work that takes this long once it runs; `settled` resolves after its end or refusal. */
  function want(turn: Turn, by: string, milliseconds = 1) {
    return turn(
      () =>
        new Promise<void>((end) => {
          running.push({ by, endsAt: time + milliseconds, end })
        }),
    )
  }

  /** Ends the work that is due first. */
  async function advance() {
    running.sort((a, b) => a.endsAt - b.endsAt)
    const first = running.shift()
    assert.ok(first, 'nothing runs')
    time = first.endsAt
    first.end()
    await turnOfLoop()
    return first.by
  }

  async function drain() {
    while (running.length > 0) await advance()
    assert.deepEqual([queue.running, queue.waiting], [0, 0])
  }

  const runningBy = (by: string) => running.filter((work) => work.by === by).length
  return { queue, want, advance, drain, runningBy, now: () => time }
}

const anew = (queue: ReturnType<typeof createFairQueue>, name: string) => {
  const [tenant = '', user = ''] = name.split('/')
  return queue.enter(tenant, user)
}

test('one user alone gets most slots; a second user and a newcomer get one at once', async () => {
  const { queue, want, drain, runningBy } = startScene()
  for (let count = 0; count < 50; count++) void want(anew(queue, 'a/1'), 'a/1')
  assert.equal(runningBy('a/1'), 7)
  for (let count = 0; count < 50; count++) void want(anew(queue, 'a/2'), 'a/2')
  assert.equal(runningBy('a/2'), 1)
  for (const newcomer of ['b/1', 'c/1']) {
    void want(anew(queue, newcomer), newcomer)
    assert.equal(runningBy(newcomer), 1)
  }
  await drain()
})

test('also of two to four slots, many users of a tenant leave one to a newcomer', async () => {
  for (const slots of [2, 3, 4]) {
    const { queue, want, drain, runningBy } = startScene({ slots })
    for (const user of ['a/1', 'a/2', 'a/3', 'a/4', 'a/5'])
      for (let count = 0; count < 5; count++) void want(anew(queue, user), 'a')
    assert.equal(runningBy('a'), slots - 1)
    void want(anew(queue, 'b/1'), 'b')
    assert.equal(runningBy('b'), 1)
    await drain()
  }
})

const apart = (times: number[]) =>
  (Math.max(...times) - Math.min(...times)) / times.reduce((sum, time) => sum + time)

for (let run = 1; run <= Math.ceil(2 * effort); run++)
  test(`those who always want more have had the same time, however long each piece takes (run ${run})`, async () => {
    const random = randomNumbers(run)
    const slots = 4 + random(12)
    const { queue, want, advance, drain, now } = startScene({ slots, places: 1e6 })
    const tenants = Array.from({ length: 2 + random(4) }, (_, index) => ({
      name: `tenant ${index}`,
      longest: [20, 100, 500][(run + index) % 3] as number,
      had: Array<number>(1 + random(3)).fill(0),
    }))
    let isOver = false
    async function repeat({ name, longest, had }: (typeof tenants)[0], user: number) {
      while (!isOver) {
        const milliseconds = 1 + random(longest)
        await want(queue.enter(name, String(user)), name, milliseconds)
        had[user] = (had[user] as number) + milliseconds
      }
    }
    for (const tenant of tenants)
      for (const user of tenant.had.keys())
        for (let client = 0; client < 2 * slots; client++) void repeat(tenant, user)
    while (now() < 90_000) {
      await advance()
      assert.ok(queue.running <= slots)
      // Each of two tenants or more may have twice what is free, so at most a fifth is.
      assert.ok(slots - queue.running <= slots / 5, `${queue.running} of ${slots} run while others wait`)
    }
    isOver = true
    await drain()
    const times = tenants.map(({ had }) => had.reduce((sum, time) => sum + time))
    assert.ok(apart(times) <= 0.05, `tenants: ${times.join(', ')}`)
    for (const { name, had } of tenants) assert.ok(apart(had) <= 0.1, `users of ${name}: ${had.join(', ')}`)
  })

test('requests that have begun come before new ones', async () => {
  const { queue, want, advance, drain, runningBy } = startScene({ slots: 3 })
  const turn = anew(queue, 'a/1')
  void want(turn, 'first')
  void want(anew(queue, 'a/1'), 'other')
  for (let count = 0; count < 5; count++) void want(anew(queue, 'a/1'), 'fresh')
  assert.equal(queue.waiting, 5)
  void want(turn, 'goes on')
  assert.equal(await advance(), 'first')
  assert.deepEqual([runningBy('goes on'), runningBy('fresh')], [1, 0])
  await drain()
})

/** The names of those who get the only slot, in their order. */
async function turnsOf({ queue, want, advance }: ReturnType<typeof startScene>, wanted: [string, number][]) {
  for (const [name, milliseconds] of wanted) void want(anew(queue, name), name, milliseconds)
  const served: string[] = []
  while (queue.running > 0) served.push(await advance())
  return served
}

test('who has had less time is next, equal ones alternate, and time before a pause does not count', async () => {
  for (const [a, b] of [
    ['a/1', 'b/1'],
    ['a/1', 'a/2'],
  ] as const) {
    const scene = startScene({ slots: 1 })
    const long: [string, number] = ['c/1', 1000]
    assert.deepEqual(await turnsOf(scene, [long, [b, 100], [a, 1], [b, 1], [a, 1]]), ['c/1', b, a, a, b])
    // The same names again: nothing is held against the one that had 100 ms.
    assert.deepEqual(await turnsOf(scene, [long, [b, 0], [b, 0], [a, 0], [a, 0]]), ['c/1', b, a, b, a])
  }
})

test('beyond a limit the noisy user is refused, and no one else', async () => {
  const { queue, want, drain } = startScene({ places: 100 })
  const outcomes: string[] = []
  const note = (name: string) =>
    want(anew(queue, name), name).then(
      () => outcomes.push(`${name} served`),
      () => outcomes.push(`${name} refused`),
    )
  const all = [...Array(60)].map(() => note('a/1'))
  await turnOfLoop()
  // Seven run and twenty wait.
  assert.deepEqual([outcomes.length, new Set(outcomes)], [33, new Set(['a/1 refused'])])
  for (const name of ['a/2', 'b/1', 'c/1']) for (let count = 0; count < 8; count++) all.push(note(name))
  await turnOfLoop()
  assert.equal(outcomes.length, 33)
  assert.deepEqual(queue.refused, { full: 33, late: 0, gone: 0 })
  await drain()
  await Promise.all(all)
  assert.equal(outcomes.filter((outcome) => outcome.endsWith('served')).length, 27 + 24)
})

test('there is always room for a newcomer, however many wait', async () => {
  const { queue, want, drain } = startScene({ places: 100 })
  for (let tenant = 0; tenant < 15; tenant++) {
    let refused = 0
    const ask = () => want(anew(queue, `${tenant}/1`), '').catch(() => refused++)
    void ask()
    await turnOfLoop()
    assert.equal(refused, 0, `newcomer ${tenant}, while ${queue.waiting} wait`)
    for (let count = 0; count < 50; count++) void ask()
    await turnOfLoop()
  }
  assert.ok(queue.waiting <= 100)
  await drain()
})

test('no request waits forever: it is refused after a time limit, which is longer once it has begun', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { queue, want, drain } = startScene({ slots: 3 })
  const begun = anew(queue, 'a/1')
  void want(begun, '')
  void want(anew(queue, 'a/1'), '')
  const refused: string[] = []
  const ask = (turn: Turn) => want(turn, '').catch(({ message }) => refused.push(message))
  void ask(begun)
  for (let count = 0; count < 3; count++) void ask(anew(queue, 'a/1'))
  const tick = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds)
    await turnOfLoop()
  }
  await tick(9_999)
  assert.deepEqual([refused.length, queue.waiting], [0, 4])
  await tick(1)
  assert.deepEqual([refused, queue.waiting], [['refused', 'refused', 'refused'], 1])
  await tick(19_999)
  assert.deepEqual([refused.length, queue.waiting], [3, 1])
  await tick(1)
  assert.deepEqual([refused.at(-1), refused.length, queue.waiting, queue.refused.late], ['cut', 4, 0, 4])
  void ask(begun)
  void ask(anew(queue, 'a/1'))
  await drain()
  await tick(30_000)
  assert.deepEqual([refused.length, queue.waiting, queue.refused.late], [4, 0, 4])
})

test('a caller who disconnects frees the slot, and one who has disconnected takes none', async () => {
  const { queue, want, drain } = startScene({ slots: 1, places: 8 })
  void want(anew(queue, 'a/1'), '')
  let hangUp = () => {}
  const waiter = {
    isGone: false,
    onGone(effect: () => void) {
      hangUp = effect
      return () => {
        hangUp = () => {}
      }
    },
  }
  const waits = want(queue.enter('a', '1', waiter), '')
  assert.equal(queue.waiting, 1)
  hangUp()
  await assert.rejects(waits)
  assert.equal(queue.waiting, 0)
  await assert.rejects(want(queue.enter('a', '1', { ...waiter, isGone: true }), ''))
  assert.deepEqual(queue.refused, { full: 0, late: 0, gone: 2 })
  void want(queue.enter('a', '1', waiter), '')
  await drain()
  hangUp()
  assert.deepEqual([queue.waiting, queue.refused.gone], [0, 2])
})

test('where turns rest, a result is there at once, and the next turn comes after as long again, also after a failure', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { queue, want, advance, runningBy } = startScene({ slots: 1, rests: true })
  const done: string[] = []
  const ask = (name: string, milliseconds: number) =>
    void want(anew(queue, name), name, milliseconds).then(() => done.push(name))
  ask('a/1', 300)
  ask('b/1', 200)
  await advance()
  assert.deepEqual([done, queue.running, queue.waiting], [['a/1'], 1, 1])
  const tick = async (milliseconds: number) => {
    t.mock.timers.tick(milliseconds)
    await turnOfLoop()
  }
  await tick(299)
  assert.equal(runningBy('b/1'), 0)
  await tick(1)
  assert.equal(runningBy('b/1'), 1)
  await advance()
  await tick(200)
  assert.deepEqual([done, queue.running, queue.waiting], [['a/1', 'b/1'], 0, 0])
  await assert.rejects(
    anew(queue, 'a/1')(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
  assert.equal(queue.running, 1)
  await tick(1)
  assert.equal(queue.running, 0)
})

test('users of a tenant whose work took long share one slot for a minute, and others have theirs', async () => {
  const { queue, want, advance, drain, runningBy, now } = startScene({ longMilliseconds: 50 })
  for (const user of ['a/1', 'a/2'])
    for (let count = 0; count < 3; count++) void want(anew(queue, user), 'long', 60)
  assert.equal(runningBy('long'), 6)
  await drain()
  for (const user of ['a/1', 'a/2'])
    for (let count = 0; count < 3; count++) void want(anew(queue, user), 'long', 20)
  assert.deepEqual([runningBy('long'), queue.waiting], [1, 5])
  for (const user of ['a/3', 'b/1'])
    for (let count = 0; count < 2; count++) void want(anew(queue, user), user, 1)
  assert.deepEqual([runningBy('a/3'), runningBy('b/1')], [2, 2])
  for (let count = 0; count < 9; count++) {
    assert.ok(runningBy('long') <= 1)
    await advance()
  }
  await drain()
  const again = now() + 60_000
  void want(anew(queue, 'b/1'), 'b/1', 60_000)
  await advance()
  assert.ok(now() >= again)
  for (let count = 0; count < 3; count++) void want(anew(queue, 'a/1'), 'short', 1)
  assert.equal(runningBy('short'), 3)
  await drain()
})

test('work that turns out to be long while more of its user runs is counted once', async () => {
  const { queue, want, advance, drain, runningBy } = startScene({ longMilliseconds: 50 })
  void want(anew(queue, 'a/1'), 'first', 60)
  for (let count = 0; count < 3; count++) void want(anew(queue, 'a/1'), 'more', 100)
  await advance()
  void want(anew(queue, 'a/1'), 'next', 1)
  assert.equal(runningBy('next'), 0)
  for (let count = 0; count < 3; count++) await advance()
  assert.equal(runningBy('next'), 1)
  await drain()
})

test('work that fails gives its slot back', async () => {
  const { queue, drain } = startScene({ slots: 1 })
  await assert.rejects(
    anew(queue, 'a/1')(() => Promise.reject(new Error('broken'))),
    /broken/,
  )
  await drain()
})

for (const isAlsoByAge of [false, true])
  test(`while new tenants keep coming, the second request of one ${isAlsoByAge ? 'gets its turn by age' : 'waits for them all'}`, async () => {
    const { queue, want, advance, drain } = startScene({ slots: 1, isAlsoByAge })
    let name = 0
    const newcomer = () => void want(queue.enter(`new ${name++}`, ''), 'new')
    for (let count = 0; count < 5; count++) newcomer()
    let done = 0
    for (let count = 0; count < 3; count++) void want(queue.enter('office', ''), 'office').then(() => done++)
    for (let turns = 0; turns < 40; turns++) {
      newcomer()
      await advance()
    }
    assert.equal(done, isAlsoByAge ? 3 : 1)
    await drain()
  })
