import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { readConfig } from '#config.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { StartFailure } from '#start-failure.ts'

test('without variables the service listens on loopback and keeps its own database in .cardinal', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    databaseUrl: undefined,
    listenUrl: undefined,
    replicaUrl: undefined,
    dataDirectory: path.resolve('.cardinal'),
    secretKeys: undefined,
    redisUrl: undefined,
    rateLimit: 1200,
    anonymousRateLimit: 300,
    quotas: usualQuotas,
    unread: { bytesPerUser: 64_000_000, bytes: 128_000_000, timeoutSeconds: 30 },
    drainSeconds: 0,
    publicUrl: undefined,
    isPublic: false,
    allowsDemo: true,
    trustedProxies: [],
    allowedHosts: [],
    metricsToken: undefined,
    tracing: undefined,
    payments: 'card',
    stripe: undefined,
    allowsSandbox: true,
    checksPrivateAddresses: false,
    inbox: true,
    figures: true,
    bankAccount: undefined,
    mail: { way: 'outbox' },
    singleSignOn: undefined,
    signUp: { way: 'off', domains: [] },
    invoiceDays: 14,
    auditDays: 365,
    eventDays: 400,
    sessions: { days: 30, idleHours: 168 },
    backups: undefined,
    catalogueFile: undefined,
    contact: undefined,
    logLevel: 'info',
  })
})

test('every variable is read, and blanks around it do not count', () => {
  const environment = {
    HOST: ' 0.0.0.0 ',
    PORT: ' 8080 ',
    DATABASE_URL: 'postgresql://cardinal:p%25ss@db.example:6432/cardinal?sslmode=require',
    CARDINAL_LISTEN_URL:
      'postgres://cardinal:p%25ss@[::1]:5432,db.example/cardinal?target_session_attrs=primary',
    CARDINAL_REPLICA_URL: 'postgres://cardinal@replica.example/cardinal',
    CARDINAL_DATA_DIR: '/var/lib/cardinal',
    CARDINAL_SECRET_KEY: `${'A'.repeat(43)}=, ${'B'.repeat(43)}=`,
    REDIS_URL: 'rediss://cache.example:6380/1',
    CARDINAL_RATE_LIMIT: '1',
    CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000000',
    CARDINAL_MOST_CARDS_PER_GROUP: '1',
    CARDINAL_MOST_CARDS_PER_BOARD: '2',
    CARDINAL_MOST_GROUPS_PER_BOARD: '3',
    CARDINAL_MOST_COMMENTS_PER_CARD: '4',
    CARDINAL_MOST_BYTES_PER_BOARD: '5',
    CARDINAL_MOST_BYTES_PER_PROJECT: '6',
    CARDINAL_MOST_BOARDS_PER_PROJECT: '7',
    CARDINAL_MOST_TAGS_PER_PROJECT: '8',
    CARDINAL_MOST_MEMBERS_PER_PROJECT: '9',
    CARDINAL_MOST_TEMPLATES: '10',
    CARDINAL_MOST_SAVED_VIEWS: '14',
    CARDINAL_UNREAD_BYTES_PER_USER: '11',
    CARDINAL_UNREAD_BYTES: '12',
    CARDINAL_WRITE_TIMEOUT: '13',
    CARDINAL_DRAIN_SECONDS: '15',
    CARDINAL_PUBLIC_URL: 'https://boards.example//',
    CARDINAL_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1 ,2001:db8::/32,::1',
    CARDINAL_ALLOWED_HOSTS: 'Boards.internal, cardinal_web',
    CARDINAL_METRICS_TOKEN: 'a token',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20secret, x-team=boards',
    OTEL_SERVICE_NAME: 'boards',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    STRIPE_SECRET_KEY: 'sk_live_key',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret',
    STRIPE_API_URL: 'http://127.0.0.1:12111',
    CARDINAL_DEMO: 'true',
    CARDINAL_SANDBOX_PAYMENTS: 'false',
    CARDINAL_CHECK_PRIVATE_ADDRESSES: 'true',
    CARDINAL_INBOX: 'false',
    CARDINAL_FIGURES: 'false',
    CARDINAL_PAYMENTS: ' invoice ',
    CARDINAL_INVOICE_PAYEE: ' Acme GmbH ',
    CARDINAL_INVOICE_ACCOUNT: 'de89 3704 0044 0532 0130 00',
    CARDINAL_INVOICE_BANK: 'COBADEFFXXX',
    CARDINAL_INVOICE_DAYS: '30',
    SMTP_URL: 'smtps://cardinal:p%40ss@mail.example:465',
    CARDINAL_MAIL_FROM: ' "Cardinal Boards" <boards@example.com> ',
    CARDINAL_MAIL_REPLY_TO: ' Support <support@example.com> ',
    CARDINAL_OIDC_ISSUER: 'https://id.example.com',
    CARDINAL_OIDC_CLIENT_ID: 'cardinal',
    CARDINAL_OIDC_CLIENT_SECRET: 'a secret',
    CARDINAL_OIDC_NAME: 'Example ID',
    CARDINAL_OIDC_DOMAINS: 'Example.com, example.org',
    CARDINAL_OIDC_CLAIM: 'roles',
    CARDINAL_OIDC_MEMBERS: 'staff=12:member, a=b=13:admin',
    CARDINAL_SIGN_UP: ' domains ',
    CARDINAL_SIGN_UP_DOMAINS: ' Example.com ',
    CARDINAL_AUDIT_DAYS: '90',
    CARDINAL_EVENT_DAYS: '800',
    CARDINAL_BACKUP_DIR: '/var/backups/cardinal',
    CARDINAL_BACKUP_HOURS: '6',
    CARDINAL_BACKUP_KEEP: '28',
    CARDINAL_SESSION_DAYS: '7',
    CARDINAL_SESSION_IDLE_HOURS: '12',
    CARDINAL_CATALOGUE: '/etc/cardinal/catalogue.json',
    CARDINAL_CONTACT: 'mailto:sales@example.com?subject=Trial',
    CARDINAL_LOG_LEVEL: 'silent',
  }
  assert.deepEqual(readConfig(environment), {
    host: '0.0.0.0',
    port: 8080,
    databaseUrl: environment.DATABASE_URL,
    listenUrl: environment.CARDINAL_LISTEN_URL,
    replicaUrl: environment.CARDINAL_REPLICA_URL,
    dataDirectory: '/var/lib/cardinal',
    secretKeys: [`${'A'.repeat(43)}=`, `${'B'.repeat(43)}=`],
    redisUrl: environment.REDIS_URL,
    rateLimit: 1,
    anonymousRateLimit: 1_000_000_000,
    quotas: {
      cardsPerGroup: 1,
      cardsPerBoard: 2,
      groupsPerBoard: 3,
      commentsPerCard: 4,
      bytesPerBoard: 5,
      bytesPerProject: 6,
      boardsPerProject: 7,
      tagsPerProject: 8,
      savedViews: 14,
      membersPerProject: 9,
      templates: 10,
    },
    unread: { bytesPerUser: 11, bytes: 12, timeoutSeconds: 13 },
    drainSeconds: 15,
    publicUrl: 'https://boards.example',
    isPublic: true,
    allowsDemo: true,
    trustedProxies: ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::1'],
    allowedHosts: ['boards.internal', 'cardinal_web'],
    metricsToken: 'a token',
    tracing: {
      url: 'http://collector.example:4318/v1/traces',
      headers: { 'x-api-key': 'a secret', 'x-team': 'boards' },
      serviceName: 'boards',
      share: 0.25,
    },
    payments: 'invoice',
    stripe: {
      secretKey: 'sk_live_key',
      webhookSecret: 'whsec_secret',
      apiUrl: 'http://127.0.0.1:12111',
    },
    allowsSandbox: false,
    checksPrivateAddresses: true,
    inbox: false,
    figures: false,
    bankAccount: { payee: 'Acme GmbH', account: 'de89 3704 0044 0532 0130 00', bank: 'COBADEFFXXX' },
    signUp: { way: 'domains', domains: ['example.com'] },
    singleSignOn: {
      issuer: 'https://id.example.com',
      clientId: 'cardinal',
      clientSecret: 'a secret',
      name: 'Example ID',
      domains: ['example.com', 'example.org'],
      claim: 'roles',
      members: [
        { value: 'staff', projectId: 12, role: 'member' },
        { value: 'a=b', projectId: 13, role: 'admin' },
      ],
    },
    mail: {
      way: 'smtp',
      url: 'smtps://cardinal:p%40ss@mail.example:465',
      from: { name: 'Cardinal Boards', address: 'boards@example.com' },
      replyTo: { name: 'Support', address: 'support@example.com' },
    },
    invoiceDays: 30,
    auditDays: 90,
    eventDays: 800,
    sessions: { days: 7, idleHours: 12 },
    backups: { directory: '/var/backups/cardinal', everyHours: 6, keep: 28 },
    catalogueFile: '/etc/cardinal/catalogue.json',
    contact: 'mailto:sales@example.com?subject=Trial',
    logLevel: 'silent',
  })
})

test('an empty variable counts as unset', () => {
  const names = ['HOST', 'PORT', 'DATABASE_URL', 'CARDINAL_DATA_DIR', 'REDIS_URL', 'CARDINAL_LOG_LEVEL']
  assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, ' ']))), readConfig({}))
})

const refused: Record<string, { values: string[]; sentence: (value: string) => string }> = {
  CARDINAL_MOST_CARDS_PER_GROUP: {
    values: ['0', '-1', '1e3', 'many', '1000000000001'],
    sentence: (value) =>
      `CARDINAL_MOST_CARDS_PER_GROUP must be a whole number from 1 to 1000000000000, but is "${value}".`,
  },
  PORT: {
    values: ['http', '-1', '65536', '80.5', '0x50', '1e3'],
    sentence: (value) => `PORT must be a whole number from 0 to 65535, but is "${value}".`,
  },
  DATABASE_URL: {
    values: [
      'secret',
      'mysql://u:secret@host/db',
      'postgres:secret',
      'postgres://host:99999/secret',
      'postgres://host:5432,other:99999/secret',
    ],
    sentence: () => 'DATABASE_URL must be an address that starts with postgres:// or postgresql://.',
  },
  REDIS_URL: {
    values: ['localhost:6379', 'http://localhost'],
    sentence: () => 'REDIS_URL must be an address that starts with redis:// or rediss://.',
  },
  CARDINAL_RATE_LIMIT: {
    values: ['0', 'none', '1000000001'],
    sentence: (value) =>
      `CARDINAL_RATE_LIMIT must be a whole number from 1 to 1000000000, but is "${value}".`,
  },
  CARDINAL_ANONYMOUS_RATE_LIMIT: {
    values: ['0', '5/s'],
    sentence: (value) =>
      `CARDINAL_ANONYMOUS_RATE_LIMIT must be a whole number from 1 to 1000000000, but is "${value}".`,
  },
  CARDINAL_PUBLIC_URL: {
    values: ['boards.example', 'ftp://boards.example'],
    sentence: () => 'CARDINAL_PUBLIC_URL must be an address that starts with http:// or https://.',
  },
  CARDINAL_TRUSTED_PROXIES: {
    values: ['proxy', '10.0.0.0/33', '10.0.0.0/0', '::1/129', '10.0.0.1/8/8', '300.0.0.1'],
    sentence: (value) =>
      `CARDINAL_TRUSTED_PROXIES must be a list of IP addresses or ranges such as 10.0.0.0/8, but has "${value}".`,
  },
  CARDINAL_ALLOWED_HOSTS: {
    values: ['*', 'boards.internal:3000', 'https://boards.internal', '.internal'],
    sentence: (value) =>
      `CARDINAL_ALLOWED_HOSTS must be a list of host names such as boards.internal, without a port, but has "${value}".`,
  },
  CARDINAL_SECRET_KEY: {
    values: ['secret', 'A'.repeat(44), `${'A'.repeat(43)}=,`, 'A'.repeat(20)],
    sentence: () =>
      'CARDINAL_SECRET_KEY must be 32 random bytes in base64 (openssl rand -base64 32), or several of them with commas, the current one first.',
  },
  STRIPE_SECRET_KEY: {
    values: ['secret', 'pk_live_secret', 'sk_live secret', 'whsec_secret'],
    sentence: () => "STRIPE_SECRET_KEY must be a key of Stripe's that starts with sk_ or rk_.",
  },
  STRIPE_WEBHOOK_SECRET: {
    values: ['secret', 'sk_live_secret'],
    sentence: () => "STRIPE_WEBHOOK_SECRET must be a key of Stripe's that starts with whsec_.",
  },
  STRIPE_API_URL: {
    values: ['api.stripe.com', 'ftp://api.stripe.com'],
    sentence: () => 'STRIPE_API_URL must be an address that starts with http:// or https://.',
  },
  CARDINAL_DEMO: {
    values: ['yes', '0', 'True'],
    sentence: (value) => `CARDINAL_DEMO must be one of true, false, but is "${value}".`,
  },
  CARDINAL_SANDBOX_PAYMENTS: {
    values: ['yes', '1', 'TRUE'],
    sentence: (value) => `CARDINAL_SANDBOX_PAYMENTS must be one of true, false, but is "${value}".`,
  },
  CARDINAL_PAYMENTS: {
    values: ['stripe', 'sandbox', 'Invoice'],
    sentence: (value) => `CARDINAL_PAYMENTS must be one of card, invoice, but is "${value}".`,
  },
  CARDINAL_INVOICE_DAYS: {
    values: ['0', '366', 'two weeks'],
    sentence: (value) => `CARDINAL_INVOICE_DAYS must be a whole number from 1 to 365, but is "${value}".`,
  },
  SMTP_URL: {
    values: ['mail.example:25', 'http://mail.example', 'smtp:secret'],
    sentence: () => 'SMTP_URL must be an address that starts with smtp:// or smtps://.',
  },
  CARDINAL_OIDC_ISSUER: {
    values: ['id.example.com', 'ftp://id.example.com'],
    sentence: () => 'CARDINAL_OIDC_ISSUER must be an address that starts with http:// or https://.',
  },
  CARDINAL_OIDC_DOMAINS: {
    values: ['@example.com', '*.example.com'],
    sentence: (value) =>
      `CARDINAL_OIDC_DOMAINS must be a list of host names such as boards.internal, without a port, but has "${value}".`,
  },
  CARDINAL_OIDC_MEMBERS: {
    values: ['staff', 'staff=12', 'staff=12:owner', 'staff=acme:member', '=12:member'],
    sentence: (value) =>
      `CARDINAL_OIDC_MEMBERS must be a list such as staff=12:member, with a value of the claim, the id of a project and viewer, member or admin, but has "${value}".`,
  },
  CARDINAL_AUDIT_DAYS: {
    values: ['0', '3651', 'forever'],
    sentence: (value) => `CARDINAL_AUDIT_DAYS must be a whole number from 1 to 3650, but is "${value}".`,
  },
  CARDINAL_EVENT_DAYS: {
    values: ['0', '36501', 'forever'],
    sentence: (value) => `CARDINAL_EVENT_DAYS must be a whole number from 1 to 36500, but is "${value}".`,
  },
  CARDINAL_BACKUP_HOURS: {
    values: ['0', '8761', 'daily'],
    sentence: (value) => `CARDINAL_BACKUP_HOURS must be a whole number from 1 to 8760, but is "${value}".`,
  },
  CARDINAL_BACKUP_KEEP: {
    values: ['0', '10001', 'all'],
    sentence: (value) => `CARDINAL_BACKUP_KEEP must be a whole number from 1 to 10000, but is "${value}".`,
  },
  CARDINAL_SESSION_DAYS: {
    values: ['0', '366', '1.5'],
    sentence: (value) => `CARDINAL_SESSION_DAYS must be a whole number from 1 to 365, but is "${value}".`,
  },
  CARDINAL_SESSION_IDLE_HOURS: {
    values: ['0', '8761', '30m'],
    sentence: (value) =>
      `CARDINAL_SESSION_IDLE_HOURS must be a whole number from 1 to 8760, but is "${value}".`,
  },
  CARDINAL_CHECK_PRIVATE_ADDRESSES: {
    values: ['yes', '10.0.0.0/8'],
    sentence: (value) => `CARDINAL_CHECK_PRIVATE_ADDRESSES must be one of true, false, but is "${value}".`,
  },
  CARDINAL_INBOX: {
    values: ['off', '1'],
    sentence: (value) => `CARDINAL_INBOX must be one of true, false, but is "${value}".`,
  },
  CARDINAL_FIGURES: {
    values: ['off', '1'],
    sentence: (value) => `CARDINAL_FIGURES must be one of true, false, but is "${value}".`,
  },
  CARDINAL_CONTACT: {
    values: ['sales@example.com', 'mailto:sales', 'http://example.com', 'javascript:alert(1)', 'https://'],
    sentence: () =>
      'CARDINAL_CONTACT must be an address that starts with https://, or mailto: and an email address.',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    values: ['collector:4318', 'grpc://collector:4317'],
    sentence: () => 'OTEL_EXPORTER_OTLP_ENDPOINT must be an address that starts with http:// or https://.',
  },
  CARDINAL_LISTEN_URL: {
    values: ['postgres://host/db'],
    sentence: () => 'CARDINAL_LISTEN_URL needs DATABASE_URL.',
  },
  CARDINAL_REPLICA_URL: {
    values: ['postgres://host/db'],
    sentence: () => 'CARDINAL_REPLICA_URL needs DATABASE_URL.',
  },
  CARDINAL_LOG_LEVEL: {
    values: ['loud', 'INFO'],
    sentence: (value) =>
      `CARDINAL_LOG_LEVEL must be one of debug, info, warn, error, silent, but is "${value}".`,
  },
}

for (const [name, { values, sentence }] of Object.entries(refused))
  test(`a bad ${name} is refused in a sentence that names it`, () => {
    for (const value of values)
      assert.throws(() => readConfig({ [name]: value }), new StartFailure(sentence(value)), value)
  })

test('a password with a stray % is refused without showing it', () => {
  for (const value of ['postgres://u:secret%@host/db', 'postgres://u:secret%ff@host/db'])
    assert.throws(
      () => readConfig({ DATABASE_URL: value }),
      new StartFailure('DATABASE_URL has a % that is not part of an encoded character; write it as %25.'),
    )
})

test('one Stripe key without the other is refused', () => {
  const sentence = 'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both or neither.'
  for (const environment of [{ STRIPE_SECRET_KEY: 'sk_test_1' }, { STRIPE_WEBHOOK_SECRET: 'whsec_1' }])
    assert.throws(() => readConfig(environment), new StartFailure(sentence))
})

test('single sign-on needs all of its settings, and https except on this machine', () => {
  const whole = {
    CARDINAL_OIDC_ISSUER: 'http://localhost:9000/realm',
    CARDINAL_OIDC_CLIENT_ID: 'cardinal',
    CARDINAL_OIDC_CLIENT_SECRET: 'secret',
    CARDINAL_OIDC_DOMAINS: 'example.com',
  }
  assert.deepEqual(readConfig(whole).singleSignOn, {
    issuer: 'http://localhost:9000/realm',
    clientId: 'cardinal',
    clientSecret: 'secret',
    name: 'single sign-on',
    domains: ['example.com'],
    claim: 'groups',
    members: [],
  })
  const together =
    'CARDINAL_OIDC_ISSUER, CARDINAL_OIDC_CLIENT_ID, CARDINAL_OIDC_CLIENT_SECRET and CARDINAL_OIDC_DOMAINS belong together: set all of them or none.'
  for (const missing of Object.keys(whole))
    assert.throws(() => readConfig({ ...whole, [missing]: '' }), new StartFailure(together))
  assert.throws(() => readConfig({ CARDINAL_OIDC_MEMBERS: 'a=1:member' }), new StartFailure(together))
  assert.throws(
    () => readConfig({ ...whole, CARDINAL_OIDC_ISSUER: 'http://id.example.com' }),
    new StartFailure('CARDINAL_OIDC_ISSUER must start with https://, except on this machine.'),
  )
})

test('a mail server needs an address that mails come from, and the other way round', () => {
  const server = { SMTP_URL: 'smtp://u:secret@mail.example' }
  const sentence = 'SMTP_URL and CARDINAL_MAIL_FROM belong together: set both or neither.'
  for (const environment of [server, { CARDINAL_MAIL_FROM: 'a@example.com' }])
    assert.throws(() => readConfig(environment), new StartFailure(sentence))
  const from = (CARDINAL_MAIL_FROM: string) => {
    const { mail } = readConfig({ ...server, CARDINAL_MAIL_FROM })
    assert.ok(mail.way === 'smtp')
    return mail.from
  }
  assert.deepEqual(from('a@example.com'), { name: 'Cardinal', address: 'a@example.com' })
  assert.deepEqual(from('Boards <a@example.com>'), { name: 'Boards', address: 'a@example.com' })
  for (const wrong of [
    'boards',
    'Boards <boards>',
    'a@example.com, b@example.com',
    'a@b@c',
    '<a@example.com',
  ])
    assert.throws(
      () => from(wrong),
      new StartFailure(
        `CARDINAL_MAIL_FROM must be an email address such as Cardinal <cardinal@example.com>, but is "${wrong}".`,
      ),
    )
})

test('only a demo on this machine has an outbox', () => {
  const wayOf = (environment: NodeJS.ProcessEnv) => readConfig(environment).mail.way
  assert.equal(wayOf({}), 'outbox')
  for (const environment of [
    { DATABASE_URL: 'postgres://db.example/cardinal' },
    { CARDINAL_DEMO: 'false' },
    { HOST: '0.0.0.0', CARDINAL_DEMO: 'true' },
  ])
    assert.equal(wayOf(environment), 'none')
})

test('payment by invoice needs payee and account, and one without the other is refused', () => {
  const sentence =
    'CARDINAL_INVOICE_PAYEE and CARDINAL_INVOICE_ACCOUNT belong together, and CARDINAL_PAYMENTS=invoice needs both.'
  for (const environment of [
    { CARDINAL_PAYMENTS: 'invoice' },
    { CARDINAL_PAYMENTS: 'invoice', CARDINAL_INVOICE_PAYEE: 'Acme' },
    { CARDINAL_INVOICE_PAYEE: 'Acme' },
    { CARDINAL_INVOICE_ACCOUNT: '12345' },
  ])
    assert.throws(() => readConfig(environment), new StartFailure(sentence))
})

test('an account that is no IBAN is taken as it is; an IBAN with a wrong digit is refused', () => {
  const accountOf = (account: string) =>
    readConfig({ CARDINAL_INVOICE_PAYEE: 'Acme', CARDINAL_INVOICE_ACCOUNT: account }).bankAccount
  assert.deepEqual(accountOf('021000021 / 12345'), {
    payee: 'Acme',
    account: '021000021 / 12345',
    bank: undefined,
  })
  for (const account of ['DE88370400440532013000', 'gb82 west 1234 5698 7654 23'])
    assert.throws(
      () => accountOf(account),
      new StartFailure('CARDINAL_INVOICE_ACCOUNT looks like an IBAN, but its check digits are wrong.'),
    )
})

test('Stripe is reached at its own address by default', () => {
  const { stripe } = readConfig({ STRIPE_SECRET_KEY: 'rk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
  assert.equal(stripe?.apiUrl, 'https://api.stripe.com')
  const withPath = {
    STRIPE_SECRET_KEY: 'rk_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_URL: 'http://proxy/v1',
  }
  assert.throws(
    () => readConfig(withPath),
    new StartFailure('STRIPE_API_URL must be an address without a path.'),
  )
})

const ownMachine: NodeJS.ProcessEnv[] = [
  {},
  { NODE_ENV: 'development' },
  { DATABASE_URL: 'postgres://db.example/cardinal' },
  { HOST: '127.0.0.1' },
  { HOST: '127.0.0.2' },
  { HOST: '::1' },
  { HOST: '0:0:0:0:0:0:0:1' },
  { HOST: '::ffff:127.0.0.1' },
  { HOST: 'localhost' },
  { HOST: 'LocalHost' },
  { CARDINAL_PUBLIC_URL: 'http://localhost:3000' },
  { CARDINAL_PUBLIC_URL: 'http://127.0.0.1:3000/' },
  { CARDINAL_PUBLIC_URL: 'https://[::1]' },
  { CARDINAL_PUBLIC_URL: 'http://boards.localhost:3000' },
]

const forOthers: NodeJS.ProcessEnv[] = [
  { NODE_ENV: 'production' },
  { NODE_ENV: 'Production' },
  { CARDINAL_TRUSTED_PROXIES: '10.0.0.0/8' },
  { HOST: '0.0.0.0' },
  { HOST: '0' },
  { HOST: '::' },
  { HOST: '10.0.0.5' },
  { HOST: '2001:db8::1' },
  { HOST: 'fe80::1%eth0' },
  { HOST: '::ffff:10.0.0.5' },
  { HOST: 'boards' },
  { HOST: 'notlocalhost' },
  { HOST: 'localhost.example' },
  { CARDINAL_PUBLIC_URL: 'https://boards.example' },
  { CARDINAL_PUBLIC_URL: 'http://192.168.1.20:3000' },
  { CARDINAL_PUBLIC_URL: 'http://127.0.0.1.example' },
  { CARDINAL_PUBLIC_URL: 'http://0.0.0.0:3000' },
  { HOST: '0.0.0.0', CARDINAL_PUBLIC_URL: 'http://localhost:3000' },
  { HOST: '127.0.0.1', CARDINAL_PUBLIC_URL: 'https://boards.example' },
  { CARDINAL_ALLOWED_HOSTS: 'boards.example' },
  { CARDINAL_ALLOWED_HOSTS: 'localhost, boards' },
]

/** Whether the service is public, and what is allowed by default. */
const decided = (environment: NodeJS.ProcessEnv) => {
  const { isPublic, allowsDemo, allowsSandbox } = readConfig(environment)
  return { isPublic, allowsDemo, allowsSandbox }
}

for (const environment of ownMachine)
  test(`${JSON.stringify(environment)} is for this machine: the demo and test cards are allowed`, () => {
    assert.deepEqual(decided(environment), { isPublic: false, allowsDemo: true, allowsSandbox: true })
  })

for (const environment of forOthers)
  test(`${JSON.stringify(environment)} is for others: the demo and test cards have to be asked for`, () => {
    assert.deepEqual(decided(environment), { isPublic: true, allowsDemo: false, allowsSandbox: false })
    assert.deepEqual(decided({ ...environment, CARDINAL_DEMO: 'true', CARDINAL_SANDBOX_PAYMENTS: 'true' }), {
      isPublic: true,
      allowsDemo: true,
      allowsSandbox: true,
    })
  })

test('the demo and test cards can be refused on this machine too', () => {
  assert.deepEqual(decided({ CARDINAL_DEMO: 'false', CARDINAL_SANDBOX_PAYMENTS: 'false' }), {
    isPublic: false,
    allowsDemo: false,
    allowsSandbox: false,
  })
})

test('sign-up is off unless it is allowed, for everybody or for certain domains', () => {
  assert.deepEqual(readConfig({}).signUp, { way: 'off', domains: [] })
  assert.deepEqual(readConfig({ CARDINAL_SIGN_UP: 'open' }).signUp, { way: 'open', domains: [] })
  const some = { CARDINAL_SIGN_UP: 'domains', CARDINAL_SIGN_UP_DOMAINS: 'Example.com, example.org' }
  assert.deepEqual(readConfig(some).signUp, { way: 'domains', domains: ['example.com', 'example.org'] })
  for (const [environment, problem] of [
    [{ CARDINAL_SIGN_UP: 'yes' }, /CARDINAL_SIGN_UP must be one of off, domains, open/],
    [{ CARDINAL_SIGN_UP: 'domains' }, /belong together/],
    [{ CARDINAL_SIGN_UP: 'open', CARDINAL_SIGN_UP_DOMAINS: 'a.test' }, /belong together/],
    [{ CARDINAL_SIGN_UP: 'domains', CARDINAL_SIGN_UP_DOMAINS: 'a@b' }, /CARDINAL_SIGN_UP_DOMAINS/],
  ] as const)
    assert.throws(() => readConfig(environment), problem)
})
