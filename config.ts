import { BlockList, isIP } from 'node:net'
import path from 'node:path'
import { splitHosts } from '#database/hosts.ts'
import { type Quota, type Quotas, usualQuotas } from '#quotas/quotas.ts'
import { StartFailure } from '#start-failure.ts'
import { remainderOf } from '#text/check-digits.ts'

export interface Config {
  host: string
  port: number
  /** Unset: the embedded PostgreSQL in `dataDirectory`. It may name several hosts. */
  databaseUrl: string | undefined
  /** PostgreSQL itself, if `databaseUrl` is a connection pooler. */
  listenUrl: string | undefined
  /** A replica for reads that take long. */
  replicaUrl: string | undefined
  dataDirectory: string
  /** Keys of encrypted secrets, the current one first. Unset: a file in `dataDirectory`. */
  secretKeys: string[] | undefined
  redisUrl: string | undefined
  rateLimit: number
  anonymousRateLimit: number
  quotas: Quotas
  /** Limits for responses that clients have not read yet. */
  unread: { bytesPerUser: number; bytes: number; timeoutSeconds: number }
  /** How long it still takes requests after it was told to end. */
  drainSeconds: number
  /** Unset: the address that the service listens on. */
  publicUrl: string | undefined
  /** True if people on other machines can reach the service. */
  isPublic: boolean
  /** True if accounts with the public demo password may exist. */
  allowsDemo: boolean
  trustedProxies: string[]
  /** Host names, besides that of the public URL, that requests may call the service by. */
  allowedHosts: string[]
  metricsToken: string | undefined
  /** Where traces go, and the share of requests and jobs that have one. Unset: no traces. */
  tracing: { url: string; headers: Record<string, string>; serviceName: string; share: number } | undefined
  /** How new checkouts are paid: by card (Stripe, or else the sandbox) or by bank transfer. */
  payments: 'card' | 'invoice'
  /** Unset: payments by card go through the sandbox, if that is allowed. */
  stripe: { secretKey: string; webhookSecret: string; apiUrl: string } | undefined
  allowsSandbox: boolean
  /** Where the money of orders is transferred to. */
  bankAccount: { payee: string; account: string; bank: string | undefined } | undefined
  /** How mails are sent; without SMTP a demo on this machine shows them in its outbox. */
  mail:
    | { way: 'smtp'; url: string; from: MailAddress; replyTo: MailAddress | undefined }
    | { way: 'outbox' }
    | { way: 'none' }
  /** Unset: nobody signs in by an identity provider. */
  singleSignOn:
    | {
        issuer: string
        clientId: string
        clientSecret: string
        /** What the button on the sign-in page calls it. */
        name: string
        /** Only addresses of these domains may sign in. */
        domains: string[]
        /** The claim whose values make people members of projects. */
        claim: string
        members: { value: string; projectId: number; role: 'viewer' | 'member' | 'admin' }[]
      }
    | undefined
  /** Who may create an account of their own; with `domains` people with an address of one of these. */
  signUp: { way: 'off' | 'domains' | 'open'; domains: string[] }
  /** How long an order can be paid. */
  invoiceDays: number
  /** Whether checks of websites may look at private and loopback addresses. */
  checksPrivateAddresses: boolean
  /** Whether events become items in people's inboxes, and dates remind them. */
  inbox: boolean
  /** Whether the figures of projects are kept for superadmins. */
  figures: boolean
  /** How long entries of the audit log are kept. */
  auditDays: number
  /** How long events are kept that are not of a card. */
  eventDays: number
  /** How long sessions last: from sign-in, and from their last use. */
  sessions: { days: number; idleHours: number }
  /** Unset: the service makes no backups. */
  backups: { directory: string; everyHours: number; keep: number } | undefined
  /** Unset: the catalogue that comes with Cardinal. */
  catalogueFile: string | undefined
  /** Where people ask for a trial: a page, or an email address as `mailto:`. */
  contact: string | undefined
  logLevel: (typeof logLevels)[number]
}

interface MailAddress {
  name: string
  address: string
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Reads every variable of the service; a bad value stops the start with a sentence that names it. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const read = (name: string) => environment[name]?.trim() || undefined
  const host = read('HOST') ?? '127.0.0.1'
  const publicUrl = url('CARDINAL_PUBLIC_URL', read('CARDINAL_PUBLIC_URL'), ['http:', 'https:'])
  const trustedProxies = addresses('CARDINAL_TRUSTED_PROXIES', read('CARDINAL_TRUSTED_PROXIES'))
  const allowedHosts = hostNames('CARDINAL_ALLOWED_HOSTS', read('CARDINAL_ALLOWED_HOSTS'))
  const isPublic =
    read('NODE_ENV')?.toLowerCase() === 'production' ||
    !isLoopback(host) ||
    // A service behind proxies is public.
    trustedProxies.length > 0 ||
    // People on this machine call it localhost.
    allowedHosts.some((name) => !isLoopback(name)) ||
    (publicUrl !== undefined && !isLoopback(new URL(publicUrl).hostname))
  const number = (name: string, usual: number, max: number) =>
    wholeNumber(name, read(name) ?? String(usual), 1, max)
  const databaseUrl = postgresUrl('DATABASE_URL', read('DATABASE_URL'))
  const listenUrl = postgresUrl('CARDINAL_LISTEN_URL', read('CARDINAL_LISTEN_URL'))
  if (listenUrl !== undefined && databaseUrl === undefined)
    throw new StartFailure('CARDINAL_LISTEN_URL needs DATABASE_URL.')
  const replicaUrl = url('CARDINAL_REPLICA_URL', read('CARDINAL_REPLICA_URL'), ['postgres:', 'postgresql:'])
  if (replicaUrl !== undefined && databaseUrl === undefined)
    throw new StartFailure('CARDINAL_REPLICA_URL needs DATABASE_URL.')
  const allowsDemo = flag('CARDINAL_DEMO', read('CARDINAL_DEMO')) ?? !isPublic
  return {
    host,
    port: wholeNumber('PORT', read('PORT') ?? '3000', 0, 65_535),
    databaseUrl,
    listenUrl,
    replicaUrl,
    dataDirectory: path.resolve(read('CARDINAL_DATA_DIR') ?? '.cardinal'),
    secretKeys: keys('CARDINAL_SECRET_KEY', read('CARDINAL_SECRET_KEY')),
    redisUrl: url('REDIS_URL', read('REDIS_URL'), ['redis:', 'rediss:']),
    rateLimit: number('CARDINAL_RATE_LIMIT', 1200, 1e9),
    anonymousRateLimit: number('CARDINAL_ANONYMOUS_RATE_LIMIT', 300, 1e9),
    quotas: quotas(number),
    unread: {
      bytesPerUser: number('CARDINAL_UNREAD_BYTES_PER_USER', 64_000_000, 1e12),
      bytes: number('CARDINAL_UNREAD_BYTES', 128_000_000, 1e12),
      timeoutSeconds: number('CARDINAL_WRITE_TIMEOUT', 30, 3600),
    },
    drainSeconds: wholeNumber('CARDINAL_DRAIN_SECONDS', read('CARDINAL_DRAIN_SECONDS') ?? '0', 0, 600),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    isPublic,
    allowsDemo,
    trustedProxies,
    allowedHosts,
    metricsToken: read('CARDINAL_METRICS_TOKEN'),
    tracing: tracing(read),
    payments: oneOf('CARDINAL_PAYMENTS', read('CARDINAL_PAYMENTS') ?? 'card', ['card', 'invoice']),
    stripe: stripe(read),
    allowsSandbox: flag('CARDINAL_SANDBOX_PAYMENTS', read('CARDINAL_SANDBOX_PAYMENTS')) ?? !isPublic,
    bankAccount: bankAccount(read),
    mail: mail(read) ?? { way: databaseUrl === undefined && allowsDemo && !isPublic ? 'outbox' : 'none' },
    singleSignOn: singleSignOn(read),
    signUp: signUp(read),
    invoiceDays: number('CARDINAL_INVOICE_DAYS', 14, 365),
    checksPrivateAddresses:
      flag('CARDINAL_CHECK_PRIVATE_ADDRESSES', read('CARDINAL_CHECK_PRIVATE_ADDRESSES')) ?? false,
    inbox: flag('CARDINAL_INBOX', read('CARDINAL_INBOX')) ?? true,
    figures: flag('CARDINAL_FIGURES', read('CARDINAL_FIGURES')) ?? true,
    auditDays: number('CARDINAL_AUDIT_DAYS', 365, 3_650),
    eventDays: number('CARDINAL_EVENT_DAYS', 400, 36_500),
    sessions: {
      days: number('CARDINAL_SESSION_DAYS', 30, 365),
      idleHours: number('CARDINAL_SESSION_IDLE_HOURS', 168, 8_760),
    },
    backups: backups(read('CARDINAL_BACKUP_DIR'), number),
    catalogueFile: read('CARDINAL_CATALOGUE'),
    contact: contact('CARDINAL_CONTACT', read('CARDINAL_CONTACT')),
    logLevel: oneOf('CARDINAL_LOG_LEVEL', read('CARDINAL_LOG_LEVEL') ?? 'info', logLevels),
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** True if a host can be reached from this machine only; any name except localhost may be public. */
function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.+)\]$/, '$1')
  const family = isIP(address)
  if (family === 0) return /^(.+\.)?localhost$/i.test(address)
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

const quotaVariables: Record<Quota, string> = {
  cardsPerGroup: 'CARDINAL_MOST_CARDS_PER_GROUP',
  cardsPerBoard: 'CARDINAL_MOST_CARDS_PER_BOARD',
  groupsPerBoard: 'CARDINAL_MOST_GROUPS_PER_BOARD',
  commentsPerCard: 'CARDINAL_MOST_COMMENTS_PER_CARD',
  bytesPerBoard: 'CARDINAL_MOST_BYTES_PER_BOARD',
  bytesPerProject: 'CARDINAL_MOST_BYTES_PER_PROJECT',
  boardsPerProject: 'CARDINAL_MOST_BOARDS_PER_PROJECT',
  tagsPerProject: 'CARDINAL_MOST_TAGS_PER_PROJECT',
  savedViews: 'CARDINAL_MOST_SAVED_VIEWS',
  membersPerProject: 'CARDINAL_MOST_MEMBERS_PER_PROJECT',
  templates: 'CARDINAL_MOST_TEMPLATES',
}

function quotas(number: (name: string, usual: number, max: number) => number): Quotas {
  const entries = Object.entries(quotaVariables).map(([quota, name]) => [
    quota,
    number(name, usualQuotas[quota as Quota], 1e12),
  ])
  return Object.fromEntries(entries)
}

function backups(
  directory: string | undefined,
  number: (name: string, usual: number, max: number) => number,
): Config['backups'] {
  const everyHours = number('CARDINAL_BACKUP_HOURS', 24, 8_760)
  const keep = number('CARDINAL_BACKUP_KEEP', 7, 10_000)
  return directory === undefined ? undefined : { directory: path.resolve(directory), everyHours, keep }
}

function stripe(read: (name: string) => string | undefined): Config['stripe'] {
  const secretKey = secret('STRIPE_SECRET_KEY', read('STRIPE_SECRET_KEY'), ['sk_', 'rk_'])
  const webhookSecret = secret('STRIPE_WEBHOOK_SECRET', read('STRIPE_WEBHOOK_SECRET'), ['whsec_'])
  const apiUrl = url('STRIPE_API_URL', read('STRIPE_API_URL'), ['http:', 'https:'])
  if (secretKey === undefined && webhookSecret === undefined) return undefined
  if (secretKey === undefined || webhookSecret === undefined)
    throw new StartFailure(
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both or neither.',
    )
  if (apiUrl !== undefined && new URL(apiUrl).pathname !== '/')
    throw new StartFailure('STRIPE_API_URL must be an address without a path.')
  return { secretKey, webhookSecret, apiUrl: apiUrl ?? 'https://api.stripe.com' }
}

function bankAccount(read: (name: string) => string | undefined): Config['bankAccount'] {
  const payee = read('CARDINAL_INVOICE_PAYEE')
  const account = read('CARDINAL_INVOICE_ACCOUNT')
  const isNeeded = read('CARDINAL_PAYMENTS') === 'invoice'
  if (payee === undefined && account === undefined && !isNeeded) return undefined
  if (payee === undefined || account === undefined)
    throw new StartFailure(
      'CARDINAL_INVOICE_PAYEE and CARDINAL_INVOICE_ACCOUNT belong together, and CARDINAL_PAYMENTS=invoice needs both.',
    )
  const iban = account.replace(/\s/g, '').toUpperCase()
  if (/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban) && remainderOf(iban) !== 1)
    throw new StartFailure('CARDINAL_INVOICE_ACCOUNT looks like an IBAN, but its check digits are wrong.')
  return { payee, account, bank: read('CARDINAL_INVOICE_BANK') }
}

/** Undefined without SMTP. Errors never show the address of the server, which has a password in it. */
function mail(read: (name: string) => string | undefined): Config['mail'] | undefined {
  const server = url('SMTP_URL', read('SMTP_URL'), ['smtp:', 'smtps:'])
  const from = read('CARDINAL_MAIL_FROM')
  if (server === undefined && from === undefined) return undefined
  if (server === undefined || from === undefined)
    throw new StartFailure('SMTP_URL and CARDINAL_MAIL_FROM belong together: set both or neither.')
  const replyTo = read('CARDINAL_MAIL_REPLY_TO')
  return {
    way: 'smtp',
    url: server,
    from: mailAddress('CARDINAL_MAIL_FROM', from),
    replyTo: replyTo === undefined ? undefined : mailAddress('CARDINAL_MAIL_REPLY_TO', replyTo),
  }
}

function mailAddress(name: string, value: string): MailAddress {
  const [, given = '', bracketed, bare] =
    /^(?:"?([^"<>]*?)"?\s*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/.exec(value) ?? []
  const address = bracketed ?? bare
  if (address === undefined)
    throw new StartFailure(
      `${name} must be an email address such as Cardinal <cardinal@example.com>, but is "${value}".`,
    )
  return { name: given || 'Cardinal', address }
}

/** Its errors never show the secret. */
function singleSignOn(read: (name: string) => string | undefined): Config['singleSignOn'] {
  const issuer = url('CARDINAL_OIDC_ISSUER', read('CARDINAL_OIDC_ISSUER'), ['http:', 'https:'])
  const clientId = read('CARDINAL_OIDC_CLIENT_ID')
  const clientSecret = read('CARDINAL_OIDC_CLIENT_SECRET')
  const domains = hostNames('CARDINAL_OIDC_DOMAINS', read('CARDINAL_OIDC_DOMAINS'))
  const members = signOnMembers('CARDINAL_OIDC_MEMBERS', read('CARDINAL_OIDC_MEMBERS'))
  const isNamed = [issuer, clientId, clientSecret].some((value) => value !== undefined)
  if (!isNamed && domains.length === 0 && members.length === 0) return undefined
  if (issuer === undefined || clientId === undefined || clientSecret === undefined || domains.length === 0)
    throw new StartFailure(
      'CARDINAL_OIDC_ISSUER, CARDINAL_OIDC_CLIENT_ID, CARDINAL_OIDC_CLIENT_SECRET and CARDINAL_OIDC_DOMAINS belong together: set all of them or none.',
    )
  if (issuer.toLowerCase().startsWith('http:') && !isLoopback(new URL(issuer).hostname))
    throw new StartFailure('CARDINAL_OIDC_ISSUER must start with https://, except on this machine.')
  const name = read('CARDINAL_OIDC_NAME') ?? 'single sign-on'
  return {
    issuer,
    clientId,
    clientSecret,
    name,
    domains,
    claim: read('CARDINAL_OIDC_CLAIM') ?? 'groups',
    members,
  }
}

/** `staff=12:member, leads=12:admin`: a value of the claim, the id of a project, and the role there. */
function signOnMembers(
  name: string,
  value: string | undefined,
): NonNullable<Config['singleSignOn']>['members'] {
  const entries = value?.split(',').map((entry) => entry.trim()) ?? []
  return entries.map((entry) => {
    const [, ofClaim = '', projectId, role] = /^(.+)=(\d{1,15}):(viewer|member|admin)$/.exec(entry) ?? []
    if (projectId === undefined)
      throw new StartFailure(
        `${name} must be a list such as staff=12:member, with a value of the claim, the id of a project and viewer, member or admin, but has "${entry}".`,
      )
    return {
      value: ofClaim.trim(),
      projectId: Number(projectId),
      role: role as 'viewer' | 'member' | 'admin',
    }
  })
}

function signUp(read: (name: string) => string | undefined): Config['signUp'] {
  const way = oneOf('CARDINAL_SIGN_UP', read('CARDINAL_SIGN_UP') ?? 'off', ['off', 'domains', 'open'])
  const domains = hostNames('CARDINAL_SIGN_UP_DOMAINS', read('CARDINAL_SIGN_UP_DOMAINS'))
  if ((way === 'domains') !== domains.length > 0)
    throw new StartFailure(
      'CARDINAL_SIGN_UP=domains and CARDINAL_SIGN_UP_DOMAINS belong together: set both or neither.',
    )
  return { way, domains }
}

/** The variables have the names that OpenTelemetry gives them. Its errors never show the headers, which may hold a key. */
function tracing(read: (name: string) => string | undefined): Config['tracing'] {
  const collector = url('OTEL_EXPORTER_OTLP_ENDPOINT', read('OTEL_EXPORTER_OTLP_ENDPOINT'), [
    'http:',
    'https:',
  ])
  const headers = read('OTEL_EXPORTER_OTLP_HEADERS')
  const share = read('OTEL_TRACES_SAMPLER_ARG') ?? '1'
  if (collector === undefined) return undefined
  const pairs = headers?.split(',').map((entry) => /^\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(entry)) ?? []
  if (pairs.includes(null) || !isDecodable(headers ?? ' '))
    throw new StartFailure('OTEL_EXPORTER_OTLP_HEADERS must be a list such as x-api-key=…,x-team=boards.')
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(share))
    throw new StartFailure(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, but is "${share}".`)
  return {
    url: `${collector.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(pairs.map((pair) => [pair?.[1], decodeURIComponent(pair?.[2] ?? '')])),
    serviceName: read('OTEL_SERVICE_NAME') ?? 'cardinal',
    share: Number(share),
  }
}

/** Its error never shows the value. */
function secret(name: string, value: string | undefined, beginnings: string[]): string | undefined {
  if (value !== undefined && !(/^\w+$/.test(value) && beginnings.some((start) => value.startsWith(start))))
    throw new StartFailure(`${name} must be a key of Stripe's that starts with ${beginnings.join(' or ')}.`)
  return value
}

/** Its error never shows the value. */
function keys(name: string, value: string | undefined): string[] | undefined {
  const entries = value?.split(',').map((entry) => entry.trim())
  if (entries?.every((entry) => /^[A-Za-z0-9+/]{43}=$/.test(entry)) === false)
    throw new StartFailure(
      `${name} must be 32 random bytes in base64 (openssl rand -base64 32), or several of them with commas, the current one first.`,
    )
  return entries
}

function flag(name: string, value: string | undefined): boolean | undefined {
  if (value === undefined) return undefined
  return oneOf(name, value, ['true', 'false']) === 'true'
}

function wholeNumber(name: string, value: string, min: number, max: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < min || number > max)
    throw new StartFailure(`${name} must be a whole number from ${min} to ${max}, but is "${value}".`)
  return number
}

function url(name: string, value: string | undefined, protocols: string[]): string | undefined {
  if (value === undefined) return undefined
  if (!URL.canParse(value) || !protocols.some((protocol) => value.toLowerCase().startsWith(`${protocol}//`)))
    throw new StartFailure(`${name} must be an address that starts with ${protocols.join('// or ')}//.`)
  if (!isDecodable(value))
    throw new StartFailure(`${name} has a % that is not part of an encoded character; write it as %25.`)
  return value
}

function postgresUrl(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const { names, urlOf } = splitHosts(value)
  for (const one of names.map(urlOf)) {
    url(name, one, ['postgres:', 'postgresql:'])
    const wanted = new URL(one).searchParams.get('target_session_attrs')
    if (wanted !== null && wanted !== 'primary' && wanted !== 'read-write')
      throw new StartFailure(
        `${name} must have read-write or primary as target_session_attrs, because Cardinal writes, but has "${wanted}".`,
      )
  }
  return value
}

/** A link that the web app shows, so no other schemes. */
function contact(name: string, value: string | undefined): string | undefined {
  const isPage = /^https:\/\//i.test(value ?? '')
  const isMail = /^mailto:[^\s@?]+@[^\s@?]+\.[^\s@?]+(\?\S*)?$/i.test(value ?? '')
  if (value !== undefined && !(URL.canParse(value) && (isPage || isMail)))
    throw new StartFailure(
      `${name} must be an address that starts with https://, or mailto: and an email address.`,
    )
  return value
}

function isDecodable(value: string): boolean {
  try {
    return decodeURIComponent(value) !== ''
  } catch {
    return false
  }
}

function addresses(name: string, value: string | undefined): string[] {
  const entries = value?.split(',').map((entry) => entry.trim()) ?? []
  const wrong = entries.find((entry) => !isRange(entry))
  if (wrong !== undefined)
    throw new StartFailure(
      `${name} must be a list of IP addresses or ranges such as 10.0.0.0/8, but has "${wrong}".`,
    )
  return entries
}

function hostNames(name: string, value: string | undefined): string[] {
  const entries = value?.split(',').map((entry) => entry.trim().toLowerCase()) ?? []
  const wrong = entries.find((entry) => !/^[\w-]+(\.[\w-]+)*$/.test(entry))
  if (wrong !== undefined)
    throw new StartFailure(
      `${name} must be a list of host names such as boards.internal, without a port, but has "${wrong}".`,
    )
  return entries
}

function isRange(entry: string): boolean {
  const [, address = '', bits = '1'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = isIP(address)
  return family !== 0 && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128)
}

function oneOf<const Value extends string>(name: string, value: string, values: readonly Value[]): Value {
  const found = values.find((known) => known === value)
  if (found === undefined)
    throw new StartFailure(`${name} must be one of ${values.join(', ')}, but is "${value}".`)
  return found
}
