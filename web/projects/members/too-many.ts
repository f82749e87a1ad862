import { failureOf } from '../../data/failure.ts'
import { t } from '../../words/words.ts'

/** Without the seconds until the next one may be sent, since nobody counts those of a day; undefined for other errors. */
export const tooManyInvitations = (error: unknown): string | undefined =>
  failureOf(error).code === 'too_many_invitations'
    ? t('Too many invitations were sent in the last 24 hours. Try again later.')
    : undefined
