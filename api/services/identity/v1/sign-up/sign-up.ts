import type { Fail, Failure } from '#contract/failure.ts'
import { text } from '#contract/schema.ts'
import { refusalFor, type SignUpRule } from '#identity/signing-up.ts'

export const signUpToken = text({ max: 255, about: 'The part of the link after the `#`.' })

export const signUpFailures = {
  403: { sign_up_off: 'You cannot sign up here. Ask for an invitation.' },
  404: { sign_up_link_not_found: 'This link was used before or has expired. Ask for a new one.' },
} as const

/** Refuses links that were sent before the operator turned sign-up off. */
export function refuseIfOff(rule: SignUpRule, fail: Fail<typeof signUpFailures>): Failure | undefined {
  return refusalFor(rule, '') === 'sign-up is off' ? fail(403, 'sign_up_off') : undefined
}
