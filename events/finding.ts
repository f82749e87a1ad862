// What Cardinal's own checks find. A finding is stored with a card and in its events as a code with values, and said in the reader's
// language when it is read.
import { integer, oneOf, optional, record, text } from '#contract/schema.ts'

/** What is said of each; `:status` and `:error` are values of the finding. */
export const findings = {
  answered: 'Responded with status :status',
  no_answer_in_time: 'No response within 5 seconds',
  connection_failed: "Couldn't connect (:error)",
  no_connection: "Couldn't connect",
  redirects_to_no_address: 'Redirects to an invalid address',
  redirects_too_often: 'Redirects more than 5 times',
  not_a_website: "Redirects to an address that doesn't start with http:// or https://",
  has_credentials: 'The address contains a user name or password',
  not_a_website_port: "The address has a port that websites don't use",
  no_such_host: "The domain name doesn't exist",
  address_not_allowed: "Leads to a private or reserved address, which Cardinal doesn't open",
} as const

export type FindingCode = keyof typeof findings

export const finding = record({
  code: oneOf(Object.keys(findings) as FindingCode[]),
  /** Of the HTTP response. */
  status: optional(integer()),
  /** Such as `ECONNREFUSED`. */
  error: optional(text()),
})

export type Finding = (typeof finding)['static']

/** For a reader, in any language. */
export const findingSentence = ({ code, status, error }: Finding) => ({
  text: findings[code],
  values: { status: String(status), error: String(error) },
})
