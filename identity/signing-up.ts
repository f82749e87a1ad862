// Lets people create an account of their own, if the operator allows it. The request looks for no account, so its answer and its time say
// nothing about one; the job of the mails (jobs/repeating.ts) does, and mails a link that confirms the address.
import { addressKey } from '#contract/rate-limit.ts'
import type { Database, Queries } from '#database/connect.ts'
import { isLanguage, type Language } from '#languages/known.ts'
import { canMail, type MailWay } from '#mail/outbox.ts'
import { mailChannel, queueMail } from '#mail/queue.ts'
import { beginAttempt, type Guessing, type Slowed } from './attempts.ts'
import { mailLanguage } from './notices.ts'
import { mailSecrets } from './sealed-link.ts'
import type { Secrets } from './secrets.ts'
import { newToken, sha256, tokenHash } from './tokens.ts'

export const signUpWays = ['off', 'domains', 'open'] as const

/** Who may sign up, as the operator has set: nobody, people with an address of certain domains, or everybody. */
export interface SignUpRule {
  way: (typeof signUpWays)[number]
  /** In lower case. */
  domains: readonly string[]
}

const signUpHours = 24
/** To one address in an hour; further requests send nothing. */
const mostMails = 3

/** Counted for all addresses of mail, so that nobody can fill the mailboxes of many people. */
const asking = (address: string): Guessing => ({
  key: sha256(`sign-ups\n${addressKey(address)}`),
  freeFailures: 4,
})

/** Why an address may not sign up; undefined if it may. */
export function refusalFor(
  { way, domains }: SignUpRule,
  email: string,
): 'sign-up is off' | 'other domain' | undefined {
  if (way === 'off') return 'sign-up is off'
  const domain = email.toLowerCase().split('@').at(-1) as string
  return way === 'domains' && !domains.includes(domain) ? 'other domain' : undefined
}

/** Notes the request. The answer is the same with and without an account. */
export async function requestSignUp(
  queries: Queries,
  { email, language, address }: { email: string; language: Language; address: string },
  { rule, mailWay }: { rule: SignUpRule; mailWay: MailWay },
): Promise<'noted' | 'no mail' | 'sign-up is off' | 'other domain' | Slowed> {
  const refusal = refusalFor(rule, email)
  if (refusal) return refusal
  const attempt = await beginAttempt(queries, asking(address))
  if ('refusal' in attempt) return attempt
  if (!(await canMail(queries, mailWay))) return 'no mail'
  await queries.sql`
    insert into sign_up_requests (email, language) values (${email}, ${language}) returning pg_notify(${mailChannel}, '')`
  return 'noted'
}

/** Sends each address a link, or tells it that it has an account. */
export async function answerSignUpRequests(
  db: Database,
  { secrets, signal }: { secrets: Secrets; signal: AbortSignal },
): Promise<void> {
  let isLeft = true
  while (isLeft && !signal.aborted)
    isLeft = await db.transaction(async (queries) => {
      const [request] = await queries.sql<{ email: string; language: string }[]>`
        delete from sign_up_requests
        where id = (select id from sign_up_requests order by id limit 1 for update skip locked)
        returning email, language`
      if (request) await answerOne(queries, secrets, request)
      return request !== undefined
    })
}

async function answerOne(
  queries: Queries,
  secrets: Secrets,
  { email, language: ofBrowser }: { email: string; language: string },
): Promise<void> {
  const { sql } = queries
  const [sent] = await sql<{ mails: number }[]>`
    select count(*) as mails from sign_ups
    where lower(email) = lower(${email}) and created_at > now() - interval '1 hour'`
  if ((sent?.mails ?? 0) >= mostMails) return
  const token = newToken()
  // A mail to somebody with an account counts too; its link is in no mail.
  await sql`
    insert into sign_ups (token_hash, email, expires_at)
    values (${sha256(token)}, ${email}, now() + make_interval(hours => ${signUpHours}))`
  const [known] = await sql<{ email: string; language: string | null }[]>`
    select email, language from users where lower(email) = lower(${email})`
  const language = isLanguage(ofBrowser) ? ofBrowser : 'en'
  if (known)
    await queueMail(queries, {
      kind: 'sign_up_known',
      to: known.email,
      language: mailLanguage(known.language ?? language),
      values: { email: known.email },
    })
  else
    await queueMail(queries, {
      kind: 'sign_up',
      to: email,
      language,
      values: { email, hours: signUpHours },
      sealedSecret: mailSecrets(secrets).seal(token),
    })
}

/** The address that a link confirms; undefined if it was used, has expired or never existed. With `locks`, nobody else can use it until the transaction ends. */
export async function findSignUp(
  { sql }: Queries,
  token: string,
  { locks = false } = {},
): Promise<{ email: string } | undefined> {
  const hash = tokenHash(token)
  const [found] = hash
    ? await sql<{ email: string }[]>`
        select email from sign_ups where token_hash = decode(${hash}, 'hex') and expires_at > now()
        ${locks ? sql`for update` : sql``}`
    : []
  return found
}

/** Makes all links to an address useless. The rows stay, because they count for the limit of an hour. */
export async function endSignUps({ sql }: Queries, email: string): Promise<void> {
  await sql`update sign_ups set expires_at = now() where lower(email) = lower(${email}) and expires_at > now()`
}

/** Requests that were never answered, and links that can no longer be used. */
export async function sweepSignUps({ sql }: Queries): Promise<void> {
  await sql`delete from sign_up_requests where created_at < now() - interval '1 day'`
  await sql`delete from sign_ups where expires_at < now() and created_at < now() - interval '1 hour'`
}
