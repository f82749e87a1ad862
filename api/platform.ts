// Finds the platform in which a superadmin creates something, for `on: 'platform'`.
import { type Fail, usual } from '#contract/failure.ts'
import { integer, optional } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { type Caller, projectFailures, refuseMalformedProject } from '#identity/caller.ts'
import { listPlatforms } from '#projects/platform.ts'
import { notFound } from './failures.ts'

/** The input field of operations with `on: 'platform'`. */
export const platformInput = {
  platform_id: optional(
    integer({ about: "The platform to create it in; by default the one of the request's project." }),
  ),
}

export const platformFailures = {
  403: usual[403],
  422: {
    ...projectFailures[422],
    platform_id: { ...notFound, required: 'The :attribute field is required.' },
  },
} as const

/** The named platform; else the superadmin's own, the only one, or the one of the request's project. */
export async function choosePlatform({
  input,
  caller,
  services: { db },
  fail,
}: {
  input: Readonly<Record<string, unknown>>
  caller: Caller
  services: { db: Queries }
  fail: Fail<typeof platformFailures>
}): Promise<number> {
  const named = (input['platform_id'] ?? null) as number | null
  const { superadminPlatformId: own } = caller
  if (own !== null) {
    if (named !== null && named !== own) throw fail(403, 'forbidden')
    return own
  }
  const platforms = await listPlatforms(db)
  if (named !== null) {
    if (!platforms.some(({ id }) => id === named)) throw fail(422, { platform_id: 'not_found' })
    return named
  }
  const [first, second] = platforms
  if (first && !second) return first.id
  refuseMalformedProject(caller, fail)
  if (caller.projectPlatformId === null) throw fail(422, { platform_id: 'required' })
  return caller.projectPlatformId
}
