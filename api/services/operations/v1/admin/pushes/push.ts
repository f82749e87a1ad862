import type { Fail } from '#contract/failure.ts'
import { integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Database } from '#database/connect.ts'
import { countsOf, type PushResult, pushKinds, pushStatuses } from '#templates/push.ts'
import type { Pusher } from '#templates/pusher.ts'

export const push = record({
  id: integer(),
  kind: oneOf(pushKinds),
  board_id: integer(),
  card_id: nullable(integer()),
  /** The current title of the template or card. */
  title: text(),
  version: integer(),
  status: oneOf(pushStatuses),
  counts: record({
    projects: integer(),
    changed: integer(),
    unchanged: integer(),
    opted_out: integer(),
    no_access: integer(),
    failed: integer(),
    pending: integer(),
  }),
  created_by: integer(),
  created_by_name: nullable(text()),
  created_at: timestamp(),
  finished_at: nullable(timestamp()),
})

export type Push = (typeof push)['static']

/** `p` is the push; needs `pushTables`. */
export const pushColumns = `
  p.id, p.kind, p.board_id, p.card_id, coalesce(c.title, m.title) as title, p.version, p.status, ${countsOf} as counts,
  p.created_by, u.name as created_by_name, wire_time(p.created_at) as created_at, wire_time(p.finished_at) as finished_at`
export const pushTables = `pushes p join master_boards m on m.id = p.board_id left join users u on u.id = p.created_by
  left join master_cards c on c.id = p.card_id`

export async function readPush(db: Pick<Database, 'run'>, id: number): Promise<Push | undefined> {
  const [found] = await db.run<Push>(`select ${pushColumns} from ${pushTables} where p.id = $1`, [id])
  return found
}

/** Declared by operations that wait for a rollout. */
export const endedEarly = {
  rollout_canceled: 'The rollout was canceled before it had reached every project.',
  service_stopping: 'The service is stopping; the rollout goes on when it is back.',
} as const

/** Waits until a rollout has ended and returns its result. */
export async function finished(
  pusher: Pusher,
  pushId: number,
  fail: Fail<{ 400: typeof endedEarly }>,
): Promise<PushResult> {
  const { status, ...result } = await pusher.finish(pushId)
  const { counts } = result
  const results = `admin/pushes/get with id ${pushId} tells what was done in each project`
  if (status === 'done') return result
  if (status === 'canceled') {
    const total = counts.projects - counts.no_access
    const [reached, all] = [total - counts.pending, total].map((count) => count.toLocaleString('en'))
    throw fail(
      400,
      'rollout_canceled',
      `The rollout was canceled after ${reached} of ${all} projects; ${results}.`,
    )
  }
  throw fail(
    400,
    'service_stopping',
    `The service is stopping; the rollout goes on when it is back, and ${results}.`,
  )
}
