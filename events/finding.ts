// What Cardinal's own checks find. A finding is stored with a card and in its events as a code with values, and said in the reader's
// language when it is read.
import { integer, oneOf, optional, record, text } from '#contract/schema.ts'

/** What is said of each; `:status` and `:error` are values of the finding. */
export const findings = {
  answered: 'Answered :status',
  no_answer_in_time: 'Did not answer within 5 seconds',
  connection_failed: 'The connection failed (:error)',
  no_connection: 'The connection failed',
  redirects_to_no_address: 'Redirects to something that is no address',
  redirects_too_often: 'Redirects more than 5 times',
  not_a_website: 'Leads to an address that is no website',
  has_credentials: 'Leads to an address with credentials',
  not_a_website_port: 'Leads to a port that is not used for websites',
  no_such_host: 'The host does not exist',
  address_not_allowed: 'Leads to an address that may not be looked at',
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
