import type { Fail, Failure } from '#contract/failure.ts'
import { text } from '#contract/schema.ts'
import type { UnusableLink } from '#identity/setup.ts'

export const setupToken = text({ max: 255, about: 'The part of the setup link after the `#`.' })

export const setupFailures = {
  400: { already_set_up: 'Cardinal is already set up.' },
  404: {
    setup_link_not_found: 'This setup link is not valid or has expired. Restart Cardinal for a new one.',
  },
} as const

export const unusable = (link: UnusableLink, fail: Fail<typeof setupFailures>): Failure =>
  link === 'no link' ? fail(404, 'setup_link_not_found') : fail(400, 'already_set_up')
