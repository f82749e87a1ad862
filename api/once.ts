import type { CardinalApi, Services } from '#api/operation.ts'
import { failOf, keyFailures, longestKey, fail as refuse } from '#contract/failure.ts'
import type { Kept, KeyedRequest } from '#contract/router.ts'
import { insideTransaction, type Queries, retried, uniqueViolation } from '#database/connect.ts'
import { inPlatform, isOf, type Role } from '#identity/roles.ts'
import { sha256 } from '#identity/tokens.ts'
import { isInProject } from './scope.ts'

const fail = failOf(keyFailures)

interface Key {
  userId: number
  name: string
  hash: Buffer
}

/** The stored status while the work has begun and has no answer yet. */
const begun = 0

/** The most that the answers of one user may take: hours of usual answers at the rate limit, or nearly a minute of the largest ones. */
const mostBytes = 256_000_000
/** Old answers are looked for after a user has added this much, because each look reads the sizes of all their answers. */
const bytesPerLook = 4_000_000
/** What a row takes besides its answer, about. */
const rowBytes = 500

/** Repeating a key within a day returns the same answer, if the caller may still act where it comes from. */
export function startOnce(): (request: KeyedRequest<CardinalApi>) => Promise<Kept> {
  /** What each user has added on this instance since the last look. */
  const added = new Map<number, number>()
  /** Without this, one user could fill the disk with answers. */
  const forgetOldest = async ({ db, log }: Services, userId: number, newest: string) => {
    const bytes = (added.get(userId) ?? 0) + Buffer.byteLength(newest) + rowBytes
    added.set(userId, bytes)
    if (bytes < bytesPerLook) return
    added.delete(userId)
    await retried(() => deleteBeyond(db, userId, mostBytes)).catch((error) => {
      // The request itself is done.
      added.set(userId, bytes)
      log.warn({ error }, 'old answers to idempotency keys were not deleted')
    })
  }
  return (request) => once(request, (answer) => forgetOldest(request.services, request.caller.id, answer))
}

/** Deletes the oldest answers of a user, so that no more than these bytes are left. */
const deleteBeyond = ({ sql }: Queries, userId: number, bytes: number) => sql`
  delete from idempotency_keys where user_id = ${userId} and key in (
    select key from (
      select key, sum(octet_length(body) + ${rowBytes}::int) over (order by created_at desc, key) as bytes
      from idempotency_keys where user_id = ${userId}) kept
    where bytes > ${bytes})`

async function once(
  request: KeyedRequest<CardinalApi>,
  onKept: (answer: string) => Promise<void>,
): Promise<Kept> {
  const { services, caller, key, fingerprint, on, status } = request
  const name = /^"(.*)"$/.exec(key)?.[1] ?? key
  if (name === '' || name.length > longestKey) throw fail(422, { idempotency_key: 'wrong_length' })
  // An operation without a scope may itself change the caller's project, as creating the first one does.
  const scope = isInProject(on) ? caller.projectId : null
  const known = { userId: caller.id, name, hash: sha256(`${scope}\n${fingerprint}`) }
  // A statement that a unique index refused cannot be repeated inside its transaction, so the whole transaction is.
  const kept = await retried(() => inOneTransaction(services, request, known), uniqueViolation)
  if (!kept.isReplay) await onKept(kept.body)
  if (kept.status !== begun) return kept
  const body = await request.finish(services, JSON.parse(kept.body))
  // Several requests with this key may have done the second step at once; all return the answer that is stored first.
  const [first] = await services.db.sql<{ body: string }[]>`
    update idempotency_keys set status = ${status}, body = case status when ${begun} then ${body} else body end
    where user_id = ${known.userId} and key = ${name} and request_hash = ${known.hash} returning body`
  await onKept(body)
  return { ...kept, status, body: first?.body ?? body }
}

/** Runs the work, or its beginning, in one transaction with its record. */
function inOneTransaction(services: Services, request: KeyedRequest<CardinalApi>, key: Key): Promise<Kept> {
  const { begin, finish } = request
  const { userId, name, hash } = key
  return services.db.transaction(async (queries) => {
    const { sql } = queries
    // The lock only lets a second request fail at once while the first one works; the key's row keeps the work from being done twice.
    const [lock] = await sql<{ free: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${userId} ${name}`}, 0)) as free`
    const kept = await keptAnswer(queries, key)
    if (!lock?.free && (!kept || kept.status === begun)) throw fail(400, 'request_running')
    if (kept) {
      if (!(await mayStillAct(queries, request, kept))) throw refuse(403, 'forbidden')
      return kept
    }
    const db = insideTransaction(services.db, queries)
    const inside: Services = { ...services, db, isInTransaction: true }
    const body = begin ? JSON.stringify(await begin(inside)) : await finish(inside)
    const status = begin ? begun : request.status
    await sql`delete from idempotency_keys where user_id = ${userId} and key = ${name}`
    await sql`
      insert into idempotency_keys (user_id, key, request_hash, status, body, in_project_id, in_platform_id)
      values (${userId}, ${name}, ${hash}, ${status}, ${body}, ${projectOf(request)}, ${platformOf(request)})`
    return { status, body, isReplay: false }
  })
}

interface KeptSomewhere extends Kept {
  /** Null if it acted on nothing of a project, or was kept before this was recorded. */
  projectId: number | null
  platformId: number | null
}

async function keptAnswer({ sql }: Queries, { userId, name, hash }: Key): Promise<KeptSomewhere | undefined> {
  const [kept] = await sql<
    {
      request_hash: Buffer
      status: number
      body: string
      in_project_id: number | null
      in_platform_id: number | null
    }[]
  >`
    select request_hash, status, body, in_project_id, in_platform_id from idempotency_keys
    where user_id = ${userId} and key = ${name} and created_at > now() - interval '24 hours'`
  if (kept && !hash.equals(kept.request_hash)) throw fail(422, { idempotency_key: 'already_used' })
  if (!kept) return undefined
  const { status, body, in_project_id: projectId, in_platform_id: platformId } = kept
  return { status, body, isReplay: true, projectId, platformId }
}

function projectOf({ scope }: KeyedRequest<CardinalApi>): number | null {
  const found = scope()
  return found && 'projectId' in found ? (found.projectId as number | null) : null
}

/** Where something was created, or else all that the superadmin could act on. */
function platformOf({ scope, caller }: KeyedRequest<CardinalApi>): number | null {
  const found = scope()
  return found && 'platformId' in found ? (found.platformId as number | null) : caller.superadminPlatformId
}

/** The router has judged only whether the caller may do this somewhere. */
async function mayStillAct(
  { sql }: Queries,
  { caller, audience, on }: KeyedRequest<CardinalApi>,
  { projectId, platformId }: KeptSomewhere,
): Promise<boolean> {
  if (!isInProject(on)) {
    const { superadminPlatformId: own } = caller
    return audience === 'signed in' || own === null || own === platformId
  }
  // Without a project there is nothing to judge the caller by.
  if (projectId === null) return false
  const [project] = await sql<{ role: Role | null; platform_id: number }[]>`
    select m.role, p.platform_id from projects p left join memberships m on m.project_id = p.id and m.user_id = ${caller.id}
    where p.id = ${projectId} and p.deleted_at is null`
  if (!project) return false
  const there = inPlatform(caller, project.platform_id)
  return (project.role !== null || there.superadmin) && isOf(audience, there, project.role)
}
