// The code with which two-factor authentication is turned off and its recovery codes are replaced.
import { flag, optional, text } from '#contract/schema.ts'
import type { GivenCode } from '#identity/changing-second-factor.ts'

export const codeInput = {
  code: text({
    max: 1024,
    about:
      'The 6-digit code that the authenticator app shows now, or a recovery code if `is_recovery` is true.',
  }),
  is_recovery: optional(flag({ about: 'True if `code` is one of the recovery codes.' })),
}

export const wrongCode = { incorrect: 'The code is not valid.' } as const

export const givenCode = (input: { code: string; is_recovery?: boolean | null }): GivenCode => ({
  code: input.code,
  isRecovery: input.is_recovery === true,
})
