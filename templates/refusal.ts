// Why a project cannot receive a rollout, in words for the record of it, and in which projects the last one of a template failed.
import { codeOf, type Queries, queryCanceled, uniqueViolation } from '#database/connect.ts'
import { reachedQuota } from '#quotas/quotas.ts'

/** What the data of a project forbids, or makes too slow, fails again however often it is tried, unlike a lost connection or a lock. */
export const isRefusal = (error: unknown): boolean =>
  reachedQuota(error) !== undefined || /^(22|23|P0|57014)/.test(codeOf(error))

const fallback = 'Something in this project does not allow the change. See the details, then retry.'

/** By PostgreSQL's code, or the class of codes. */
const sentences: Record<string, string> = {
  '22': 'A value of the template does not fit into this project. Change it in the template, then retry.',
  '22001': 'A text of the template is too long for this project. Shorten it, then retry.',
  '23503': 'Something that the template builds on was deleted in this project at the same moment. Retry.',
  [uniqueViolation]: 'This project already has something in the place of what the template brings. Retry.',
  '23514':
    'A rule of this project forbids what the template brings. Change the template or the rule, then retry.',
  [queryCanceled]: 'It took too long in this project. Retry when less is going on.',
}

/** The cause and what to do; where PostgreSQL refused it, then its words. */
export function reasonOf(error: unknown): string {
  const reached = reachedQuota(error)
  if (reached) return reached.sentence
  const code = codeOf(error)
  const sentence = sentences[code] ?? sentences[code.slice(0, 2)] ?? fallback
  return `${sentence} Details: ${(error as Error).message}`
}

export const rememberRefusal = ({ sql }: Queries, boardId: number, projectId: number) => sql`
  insert into rollout_refusals (project_id, master_board_id) values (${projectId}, ${boardId}) on conflict do nothing`

/** The projects have received something of the template since. */
export const forgetRefusals = ({ sql }: Queries, boardId: number, projectIds: readonly number[]) => sql`
  delete from rollout_refusals where project_id = any(${projectIds as number[]}::bigint[]) and master_board_id = ${boardId}`
