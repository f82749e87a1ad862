import { area } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useRead } from '../../data/read.ts'
import type { DeletedThing } from './restore.ts'

interface Trashed {
  /** Undefined if it was not deleted, or too long ago. */
  thing: DeletedThing | undefined
  isAsking: boolean
  /** Set if the trash could not be read: the thing may be there. */
  failed: { data: undefined; error: unknown; refetch(): unknown } | undefined
}

/** Finds a missing thing in the trash; asks only if `isMissing`. */
export function useTrashed(kind: DeletedThing['kind'], id: number, isMissing: boolean): Trashed {
  const { data, error, isFetching, refetch } = useRead(
    `${area}/trash/get`,
    { kind, id },
    { enabled: isMissing },
  )
  const isUnknown = failureOf(error).code === `${kind}_not_found`
  const thing = isUnknown ? undefined : data?.thing
  const isAsking = isMissing && isFetching && thing === undefined
  const hasFailed = isMissing && error && !isUnknown && !isAsking && !thing
  return { thing, isAsking, failed: hasFailed ? { data: undefined, error, refetch } : undefined }
}
