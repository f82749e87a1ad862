// Explains why a project cannot receive a rollout, and stores in which projects a template's last rollout failed.
import { codeOf, type Queries, queryCanceled, uniqueViolation } from '#database/connect.ts'
import { reachedQuota } from '#quotas/quotas.ts'

/** True for errors caused by a project's data, which fail on every attempt, unlike a lost connection or a lock. */
export const isRefusal = (error: unknown): boolean =>
  reachedQuota(error) !== undefined || /^(22|23|P0|57014)/.test(codeOf(error))

const fallback = 'Something in this project does not allow the change. See the details, then retry.'

/** By PostgreSQL's error code, or its class. */
const sentences: Record<string, string> = {
  '22': 'A value of the template does not fit into this project. Change it in the template, then retry.',
  '22001': 'A text of the template is too long for this project. Shorten it, then retry.',
  '23503': 'Something that the template builds on was deleted in this project at the same moment. Retry.',
  [uniqueViolation]: 'This project already has something in the place of what the template brings. Retry.',
  '23514':
    'A rule of this project forbids what the template brings. Change the template or the rule, then retry.',
  [queryCanceled]: 'It took too long in this project. Retry when less is going on.',
}

/** The cause and what to do, followed by PostgreSQL's message if it refused. */
export function reasonOf(error: unknown): string {
  const reached = reachedQuota(error)
  if (reached) return reached.sentence
  const code = codeOf(error)
  const sentence = sentences[code] ?? sentences[code.slice(0, 2)] ?? fallback
  return `${sentence} Details: ${(error as Error).message}`
}

export const rememberRefusal = ({ sql }: Queries, boardId: number, projectId: number) => sql`
  insert into rollout_refusals (project_id, master_board_id) values (${projectId}, ${boardId}) on conflict do nothing`

/** Clears the refusals of projects that have received the template since. */
export const forgetRefusals = ({ sql }: Queries, boardId: number, projectIds: readonly number[]) => sql`
  delete from rollout_refusals where project_id = any(${projectIds as number[]}::bigint[]) and master_board_id = ${boardId}`
