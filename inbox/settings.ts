// How a person wants to be told, by reason. Without a choice for a reason, the default applies.
import { oneOf, optional, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { type Reason, reasons } from './item.ts'

/** `app`: in the inbox. `mail`: there, and by mail while it is unread. `off`: not at all. */
const ways = ['app', 'mail', 'off'] as const

export type Way = (typeof ways)[number]

/** Sent by mail unless a person has chosen otherwise. */
const mailedReasons: readonly Reason[] = ['assigned', 'mentioned', 'theme_deadline']

/** The name of the daily mail among the settings. */
export const digest = 'digest'
const digestWays = ['mail', 'off'] as const

const usualWay = (reason: Reason): Way => (mailedReasons.includes(reason) ? 'mail' : 'app')

const forReasons = <Choice>(choice: (reason: Reason) => Choice) =>
  Object.fromEntries(reasons.map((reason) => [reason, choice(reason)])) as Record<Reason, Choice>

export const settings = record({ ...forReasons(() => oneOf(ways)), digest: oneOf(digestWays) })

export type Settings = (typeof settings)['static']

/** Any of them; the others stay. */
export const chosenSettings = {
  ...forReasons(() => optional(oneOf(ways))),
  digest: optional(oneOf(digestWays)),
}

const usualSettings: Settings = { ...forReasons(usualWay), digest: 'mail' }

export async function readSettings({ sql }: Queries, userId: number): Promise<Settings> {
  const rows = await sql<{ reason: string; way: string }[]>`
    select reason, way from notification_settings where user_id = ${userId}`
  const chosen = Object.fromEntries(rows.map(({ reason, way }) => [reason, way]))
  return { ...usualSettings, ...chosen }
}

/** Stores what a person has chosen; null and what is absent leave a setting as it is. */
export async function changeSettings(
  queries: Queries,
  userId: number,
  chosen: { [Name in keyof Settings]?: Settings[Name] | null | undefined },
): Promise<Settings | 'account closed'> {
  const rows = Object.entries(chosen).flatMap(([reason, way]) => (way ? { reason, way } : []))
  if (rows.length > 0) {
    // Locked, so that nothing of a person is added while their account is being closed.
    const stored = await queries.sql`
      insert into notification_settings (user_id, reason, way)
      select person.id, reason, way
      from (select id from users where id = ${userId} and closed_at is null for no key update) person,
        jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as chosen (reason text, way text) order by reason
      on conflict (user_id, reason) do update set way = excluded.way returning user_id`
    if (stored.length === 0) return 'account closed'
  }
  return readSettings(queries, userId)
}

/** True if the person has turned the reason off; both are SQL. */
export const isOff = (user: string, reason: string) => `exists (
  select from notification_settings s where s.user_id = ${user} and s.reason = ${reason} and s.way = 'off')`

/** True if the person wants to get the reason by mail. */
export const isMailed = (user: string, reason: string) => `coalesce(
  (select s.way from notification_settings s where s.user_id = ${user} and s.reason = ${reason}),
  case when ${reason} in (${mailedReasons.map((one) => `'${one}'`).join(', ')}, '${digest}') then 'mail' else 'app' end) = 'mail'`

/** What a link at the end of a mail ends: mails about unread items, or the daily one. */
export const mailLists = ['inbox', 'digest'] as const

export type MailList = (typeof mailLists)[number]

/** Ends mails of this kind for the person with the key; the inbox stays as it is. Returns the language of the person, or undefined if no person has the key. */
export async function unsubscribe(
  queries: Queries,
  key: string,
  list: MailList,
): Promise<{ language: string | null } | undefined> {
  const person = await findByKey(queries, key)
  if (!person) return undefined
  const now = await readSettings(queries, person.id)
  const isByMail = (reason: Reason) => now[reason] === 'mail'
  const chosen =
    list === 'digest'
      ? { digest: 'off' as const }
      : Object.fromEntries(reasons.filter(isByMail).map((reason) => [reason, 'app' as const]))
  await changeSettings(queries, person.id, chosen)
  return person
}

export async function findByKey(
  { sql }: Queries,
  key: string,
): Promise<{ id: number; language: string | null } | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key)) return undefined
  const [person] = await sql<{ id: number; language: string | null }[]>`
    select id, language from users where unsubscribe_key = ${key}`
  return person
}
