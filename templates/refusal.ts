// Explains why a project cannot receive a rollout, and stores in which projects a template's last rollout failed.
import { codeOf, type Queries, queryCanceled, uniqueViolation } from '#database/connect.ts'
import { quotaSentence, type ReachedQuota, reachedQuota } from '#quotas/quotas.ts'

/** True for errors caused by a project's data, which fail on every attempt, unlike a lost connection or a lock. */
export const isRefusal = (error: unknown): boolean =>
  reachedQuota(error) !== undefined || /^(22|23|P0|57014)/.test(codeOf(error))

/** Why a project could not receive a rollout, as it is stored; `details` is PostgreSQL's message. */
export type Reason = ReachedQuota | { code: RefusalCode; details: string }

/** What is said of each: the cause and what to do. */
export const refusalSentences = {
  value_refused:
    'A value of the template does not fit into this project. Change it in the template, then retry. Details: :details',
  text_too_long:
    'A text of the template is too long for this project. Shorten it, then retry. Details: :details',
  deleted_meanwhile:
    'Something that the template builds on was deleted in this project at the same moment. Retry. Details: :details',
  place_taken:
    'This project already has something in the place of what the template brings. Retry. Details: :details',
  rule_broken:
    'A rule of this project forbids what the template brings. Change the template or the rule, then retry. Details: :details',
  took_too_long: 'It took too long in this project. Retry when less is going on. Details: :details',
  refused:
    'Something in this project does not allow the change. See the details, then retry. Details: :details',
} as const

type RefusalCode = keyof typeof refusalSentences

/** By PostgreSQL's error code, or its class. */
const codes: Record<string, RefusalCode> = {
  '22': 'value_refused',
  '22001': 'text_too_long',
  '23503': 'deleted_meanwhile',
  [uniqueViolation]: 'place_taken',
  '23514': 'rule_broken',
  [queryCanceled]: 'took_too_long',
}

export function reasonOf(error: unknown): Reason {
  const reached = reachedQuota(error)
  if (reached) return reached
  const code = codeOf(error)
  return { code: codes[code] ?? codes[code.slice(0, 2)] ?? 'refused', details: (error as Error).message }
}

/** For a reader, in any language. Rollouts of earlier versions have stored a sentence. */
export function reasonSentence(reason: Reason | string) {
  if (typeof reason === 'string') return { text: reason }
  if ('quota' in reason) return quotaSentence(reason)
  return { text: refusalSentences[reason.code], values: { details: reason.details } }
}

export const rememberRefusal = ({ sql }: Queries, boardId: number, projectId: number) => sql`
  insert into rollout_refusals (project_id, master_board_id) values (${projectId}, ${boardId}) on conflict do nothing`

/** Clears the refusals of projects that have received the template since. */
export const forgetRefusals = ({ sql }: Queries, boardId: number, projectIds: readonly number[]) => sql`
  delete from rollout_refusals where project_id = any(${projectIds as number[]}::bigint[]) and master_board_id = ${boardId}`
