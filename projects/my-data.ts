// Everything that Cardinal knows of a person and everything that they wrote, as JSON that is read and sent in pages.
import type { Database } from '#database/connect.ts'

/** Rows that are read together at most. */
const rowsAtOnce = 200
/** A page of cards or comments ends with the row that exceeds this, because each of them may have 65,000 characters. */
const bytesAtOnce = 256 * 1024

type Json = Record<string, unknown>
type Page = (after: number) => Promise<readonly Json[]>

/** The parts of one JSON document, in their order; none is much larger than the longest text. */
export async function* myData({ sql }: Database, userId: number): AsyncGenerator<string> {
  const [account] = await sql<Json[]>`
    select id, email, name, language, time_zone, enable_ai, created_at, last_seen_at, totp_secret is not null as two_factor
    from users where id = ${userId}`
  const sessions = await sql<Json[]>`
    select address, user_agent, created_at, last_used_at, expires_at from sessions where user_id = ${userId} order by id`
  const passkeys = await sql<Json[]>`
    select name, is_synced, created_at, last_used_at from passkeys where user_id = ${userId} order by id`
  const identities = await sql<Json[]>`
    select issuer, subject, created_at, last_used_at from sign_on_identities where user_id = ${userId} order by created_at`
  const notifications = await sql<Json[]>`
    select reason, way from notification_settings where user_id = ${userId} order by reason`
  const [photo] = await sql<{ jpeg: string }[]>`
    select encode(photo, 'base64') as jpeg from user_photos where user_id = ${userId}`
  const projects = await sql<{ id: number; name: string; role: string }[]>`
    select p.id, p.name, m.role from memberships m join projects p on p.id = m.project_id and p.deleted_at is null
    where m.user_id = ${userId} order by p.id`
  yield `{"exported_at":${JSON.stringify(new Date().toISOString())},"account":${JSON.stringify(account)}`
  yield `,"photo":${JSON.stringify(photo?.jpeg.replaceAll('\n', '') ?? null)}`
  for (const [name, rows] of Object.entries({
    sessions,
    passkeys,
    single_sign_on: identities,
    notifications,
  }))
    yield `,"${name}":${JSON.stringify(rows)}`
  // Without the addresses of others who changed something about the person.
  yield* list(
    'audit_log',
    (after) => sql<Json[]>`
      select id, at, kind, case when coalesce(actor_id, ${userId}) = ${userId} then address end as address, details
      from audit_entries
      where (account_id = ${userId} or actor_id = ${userId}) and id > ${after} order by id limit ${rowsAtOnce}`,
  )
  yield ',"projects":['
  for (const [index, project] of projects.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(project).slice(0, -1)}`
    for (const [name, page] of Object.entries(pagesOf({ sql }, project.id, userId))) yield* list(name, page)
    yield '}'
  }
  yield ']}\n'
}

/** What they have in a project that is not deleted. */
function pagesOf({ sql }: Pick<Database, 'sql'>, projectId: number, userId: number): Record<string, Page> {
  return {
    cards: (after) => sql<Json[]>`
      select id, board_id, title, description, short_description, status, due_date, created_at, updated_at
      from (
        select *, sum(bytes) over (order by id) - bytes as bytes_before from cards
        where project_id = ${projectId} and created_by = ${userId} and deleted_at is null and id > ${after}
        order by id limit ${rowsAtOnce}) card
      where bytes_before <= ${bytesAtOnce} order by id`,
    comments: (after) => sql<Json[]>`
      select id, card_id, comment, created_at, updated_at
      from (
        select *, sum(octet_length(comment)) over (order by id) - octet_length(comment) as bytes_before from comments
        where project_id = ${projectId} and user_id = ${userId} and deleted_at is null and id > ${after}
        order by id limit ${rowsAtOnce}) comment
      where bytes_before <= ${bytesAtOnce} order by id`,
    assigned_cards: (after) => sql<Json[]>`
      select id, title from cards
      where project_id = ${projectId} and owner_id = ${userId} and deleted_at is null and id > ${after}
      order by id limit ${rowsAtOnce}`,
    saved_views: (after) => sql<Json[]>`
      select id, page, name, parameters, created_at from saved_views
      where project_id = ${projectId} and owner_id = ${userId} and id > ${after} order by id limit ${rowsAtOnce}`,
    inbox: (after) => sql<Json[]>`
      select id, reason, card_id, occurred_at, read_at from inbox_items
      where project_id = ${projectId} and user_id = ${userId} and id > ${after} order by id limit ${rowsAtOnce}`,
  }
}

async function* list(name: string, page: Page): AsyncGenerator<string> {
  yield `,${JSON.stringify(name)}:[`
  let separator = ''
  for (let rows = await page(0); rows.length > 0; rows = await page(rows.at(-1)?.['id'] as number))
    for (const row of rows) {
      yield separator + JSON.stringify(row)
      separator = ','
    }
  yield ']'
}
