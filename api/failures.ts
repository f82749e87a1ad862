// Refusals that several operations share and declare in their `failures`.
import { busy, type Fail, type Failure } from '#contract/failure.ts'
import { isSupportName } from '#events/support-name.ts'
import type { Slowed } from '#identity/attempts.ts'
import type { Weakness } from '#identity/weak-password.ts'
import { weakSentences } from '#identity/weak-sentences.ts'
import type { Stopped } from '#rollouts/rollout.ts'

/** A field that names something that does not exist. */
export const notFound = { not_found: 'The selected :attribute is invalid.' } as const

/** A field that names something that cannot be newly used. */
export const inactive = { inactive: 'The selected :attribute is inactive.' } as const

/** A field that names an archived group. */
export const archived = { archived: 'The selected :attribute is archived.' } as const

/** `fail(422, notFoundIn(['owner_id', 'tag_id']))` */
export const notFoundIn = <Field extends string>(fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, 'not_found'])) as Partial<Record<Field, 'not_found'>>

export const notFromTemplate = { not_from_template: 'This card does not come from a template.' } as const

/** A name or an identifier that is already taken. */
export const taken = { taken: 'The :attribute has already been taken.' } as const

export const noMasterBoard = { master_board_not_found: 'There is no template with this id.' } as const
export const noMasterGroup = { master_group_not_found: 'There is no template group with this id.' } as const
export const noMasterCard = { master_card_not_found: 'There is no template card with this id.' } as const
export const noVersion = { version_not_found: 'This template has no version with this number.' } as const
export const noAudience = { audience_not_found: 'There is no audience with this id.' } as const
export const noRollout = { rollout_not_found: 'There is no rollout with this id.' } as const

/** Declared by operations that let a rollout begin or go on. */
export const templateStopped = {
  master_board_inactive: 'This template is inactive; activate it to roll it out.',
  master_board_deleted: 'This template was deleted; restore it to roll it out.',
} as const

/** `throw stoppedBy(outcome, fail)` */
export const stoppedBy = (stopped: Stopped, fail: Fail<{ 400: typeof templateStopped }>): Failure =>
  fail(400, stopped === 'deleted template' ? 'master_board_deleted' : 'master_board_inactive')

/** Declared by operations that send mails. */
export const noMail = {
  mail_not_set_up: 'This installation cannot send email. The operator sets SMTP_URL.',
} as const

/** A new password that lists, patterns or the person's own words explain. The sentence says which. */
export const tooEasy = { too_easy: weakSentences.short } as const

/** `fail(422, { password: tooEasyFor(weakness) })` */
export const tooEasyFor = (weakness: Weakness) => ['too_easy', { text: weakSentences[weakness] }] as const

/** Declared by operations that check something that can be guessed. */
export const guessingTooFast = {
  too_many_attempts: 'Too many wrong attempts. Wait before you try again.',
} as const

export const tooFast = (
  { refusal, waitSeconds }: Slowed,
  fail: Fail<{ 429: typeof guessingTooFast }>,
): Failure => (refusal === 'server_busy' ? busy(waitSeconds) : fail(429, refusal, waitSeconds))

/** Declared for names that people choose: the support of Cardinal is shown under this one in every project. */
export const reservedName = {
  reserved: 'This name is reserved for the support of Cardinal. Choose another one.',
} as const

/** The check of operations that take such a name. */
export function refuseReserved({
  input: { name },
  fail,
}: {
  input: { name?: string | null }
  fail: Fail<{ 422: { name: typeof reservedName } }>
}): void {
  if (name != null && isSupportName(name)) throw fail(422, { name: 'reserved' })
}
