// Explains why a project cannot receive a rollout, and stores in which projects a template's last rollout failed.
import { codeOf, type Queries, queryCanceled, uniqueViolation } from '#database/connect.ts'
import { type Quota, quotaSentence, type ReachedQuota, reachedQuota } from '#quotas/quotas.ts'

/** True for errors caused by a project's data, which fail on every attempt, unlike a lost connection or a lock. */
export const isRefusal = (error: unknown): boolean =>
  reachedQuota(error) !== undefined || /^(22|23|P0|57014)/.test(codeOf(error))

/** Why a project could not receive a rollout, as it is stored; `details` is PostgreSQL's message. */
export type Reason = ReachedQuota | { code: RefusalCode; details: string }

/** What is said of each: the cause and what to do. */
export const refusalSentences = {
  value_refused:
    "A value in the template isn't accepted in this project. Change it in the template, then retry.",
  text_too_long: 'A text in the template is too long for this project. Shorten it, then retry.',
  deleted_meanwhile:
    'Something that the template needs was deleted in this project during the rollout. Retry.',
  place_taken: 'Another change in this project took the place of a card or group of the template. Retry.',
  rule_broken:
    'A rule in the database forbids the change in this project. Show the technical details to the people who run the server, then retry.',
  took_too_long: 'This project was too busy to be updated in time. Retry later.',
  refused:
    'The database rejected the change in this project. Show the technical details to the people who run the server, then retry.',
} as const

/** About limits. The sentences for a project's members would not help an operator, who cannot make room there. */
export const fullSentences: Partial<Record<Quota, string>> = {
  boardsPerProject:
    'This project has :most boards, as many as a project can have. Ask its members to delete one, or raise the limit, then retry.',
  cardsPerBoard:
    'A board of this project would have more than :most cards. Ask its members to delete some, or raise the limit, then retry.',
  cardsPerGroup:
    'A group of this project would have more than :most cards. Ask its members to move or delete some, or raise the limit, then retry.',
  groupsPerBoard:
    'A board of this project would have more than :most groups. Ask its members to delete one, or raise the limit, then retry.',
  bytesPerBoard:
    'A board of this project would hold more than :most. Ask its members to shorten or delete cards, or raise the limit, then retry.',
  bytesPerProject:
    'This project would hold more than :most. Ask its members to delete boards, cards or comments, or raise the limit, then retry.',
}

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

/** For an operator, in any language. Rollouts of earlier versions have stored a sentence. */
export function reasonSentence(reason: Reason | string) {
  if (typeof reason === 'string') return { text: reason }
  if ('quota' in reason) return quotaSentence(reason, fullSentences)
  return { text: refusalSentences[reason.code] }
}

/** PostgreSQL's message, for the operator. */
export const technicalDetails = (reason: Reason | string): string | null =>
  typeof reason === 'object' && 'details' in reason ? reason.details : null

export const rememberRefusal = ({ sql }: Queries, boardId: number, projectId: number) => sql`
  insert into rollout_refusals (project_id, master_board_id) values (${projectId}, ${boardId}) on conflict do nothing`

/** Clears the refusals of projects that have received the template since. */
export const forgetRefusals = ({ sql }: Queries, boardId: number, projectIds: readonly number[]) => sql`
  delete from rollout_refusals where project_id = any(${projectIds as number[]}::bigint[]) and master_board_id = ${boardId}`
