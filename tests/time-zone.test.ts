import test from 'node:test'
import { effort } from '#tests/effort.ts'
import { timeZoneVariable } from './postgres.ts'
import { assertPass } from './suites.ts'

/** The tests that read, write, compare or add dates. */
const core = [
  'contract/timestamp.test.ts',
  'billing/state.test.ts',
  'api/services/operations/v1/operations/cards/update.test.ts',
]
const others = [
  'jobs/jobs.test.ts',
  'api/services/operations/v1/operations/boards/get.test.ts',
  'api/services/platforms/v1/subscriptions/subscriptions.test.ts',
]
const suites = effort === 1 ? core : [...core, ...others]

test('dates are the same in New York with a database in the time zone of Kathmandu', () =>
  assertPass(suites, { TZ: 'America/New_York', [timeZoneVariable]: 'Asia/Kathmandu' }))
