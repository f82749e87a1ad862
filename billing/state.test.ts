import assert from 'node:assert/strict'
import test from 'node:test'
import {
  afterPeriods,
  following,
  isPaid,
  isTrial,
  mayBecome,
  type ProviderState,
  providerStateOf,
  type State,
  statuses,
} from './state.ts'

const allowed = [
  'trialing → active',
  'trialing → expired',
  'active → past_due',
  'active → canceled',
  'past_due → active',
  'past_due → canceled',
  'expired → active',
  'expired → trialing',
]

for (const from of statuses)
  for (const to of statuses.filter((status) => status !== from)) {
    const move = `${from} → ${to}`
    test(`${move} is ${allowed.includes(move) ? 'allowed' : 'refused'}`, () => {
      assert.equal(mayBecome(from, to), allowed.includes(move))
    })
  }

test('keeping the same status is always allowed', () => {
  for (const status of statuses) assert.ok(mayBecome(status, status), status)
})

test('every status is a trial, paid for, or over', () => {
  assert.deepEqual(
    statuses.map((status) => [status, isTrial(status), isPaid(status)]),
    [
      ['trialing', true, false],
      ['active', false, true],
      ['past_due', false, true],
      ['canceled', false, false],
      ['expired', true, false],
    ],
  )
})

const unpaid = (status: State['status']): State => ({
  status,
  plan: null,
  period: null,
  current_period_ends_at: null,
  cancels_at_period_end: false,
  gateway: null,
  customer_reference: null,
  subscription_reference: null,
})

const reported = (status: ProviderState['status'], over: Partial<ProviderState> = {}): ProviderState => ({
  gateway: 'stripe',
  reference: 'sub_1',
  customer: 'cus_1',
  status,
  periodEndsAt: '2030-01-31T00:00:00.000Z',
  cancelsAtPeriodEnd: false,
  plan: 'pro',
  period: 'month',
  ...over,
})

const paid = (status: State['status']): State => ({
  status,
  plan: 'pro',
  period: 'month',
  current_period_ends_at: '2030-01-31T00:00:00.000Z',
  cancels_at_period_end: false,
  gateway: 'stripe',
  customer_reference: 'cus_1',
  subscription_reference: 'sub_1',
})

test('payment makes a trial active, a running one and an expired one, with all that the provider says', () => {
  for (const status of ['trialing', 'expired'] as const)
    assert.deepEqual(following(unpaid(status), reported('active')), paid('active'))
})

test('a trial that was never paid for neither fails nor ends by a report of the provider', () => {
  for (const status of ['trialing', 'expired'] as const)
    for (const report of ['past_due', 'canceled'] as const)
      assert.equal(following(unpaid(status), reported(report)), 'too late')
})

test('a paid subscription follows the provider, and its end is final', () => {
  assert.deepEqual(following(paid('active'), reported('past_due')), paid('past_due'))
  assert.deepEqual(following(paid('past_due'), reported('active')), paid('active'))
  for (const status of ['active', 'past_due'] as const)
    assert.deepEqual(following(paid(status), reported('canceled')), paid('canceled'))
  for (const status of ['active', 'past_due'] as const)
    assert.equal(following(paid('canceled'), reported(status)), 'too late')
})

test('a cancellation and a new period are written without a change of status', () => {
  const after = following(
    paid('active'),
    reported('active', { cancelsAtPeriodEnd: true, periodEndsAt: '2030-02-28T00:00:00.000Z' }),
  )
  assert.deepEqual(after, {
    ...paid('active'),
    cancels_at_period_end: true,
    current_period_ends_at: '2030-02-28T00:00:00.000Z',
  })
})

test('a second subscription at the provider means paid twice, unless it has ended', () => {
  for (const status of ['active', 'past_due', 'canceled'] as const)
    assert.equal(following(paid(status), reported('active', { reference: 'sub_2' })), 'paid twice')
  assert.equal(following(paid('active'), reported('canceled', { reference: 'sub_2' })), 'too late')
})

test('a paid subscription in the form of a report, and that report followed, change nothing', () => {
  assert.deepEqual(providerStateOf(paid('past_due')), reported('past_due'))
  assert.deepEqual(following(paid('past_due'), providerStateOf(paid('past_due'))), paid('past_due'))
})

test('periods end on the same day, or on the last day of a shorter month', () => {
  const after = (from: string, period: 'month' | 'year', count: number) =>
    afterPeriods(new Date(`${from}T10:30:00.500Z`), period, count).replace('T10:30:00.500Z', '')
  assert.equal(after('2026-01-15', 'month', 1), '2026-02-15')
  assert.equal(after('2026-01-31', 'month', 1), '2026-02-28')
  assert.equal(after('2028-01-31', 'month', 1), '2028-02-29')
  assert.equal(after('2026-01-31', 'month', 2), '2026-03-31')
  assert.equal(after('2026-11-30', 'month', 3), '2027-02-28')
  assert.equal(after('2026-12-31', 'month', 1), '2027-01-31')
  assert.equal(after('2028-02-29', 'year', 1), '2029-02-28')
  assert.equal(after('2028-02-29', 'year', 4), '2032-02-29')
  assert.equal(after('2026-05-01', 'month', 0), '2026-05-01')
})
