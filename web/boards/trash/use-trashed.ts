import { area } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useRead } from '../../data/read.ts'
import type { DeletedThing } from './restore.ts'

interface Trashed {
  /** Undefined if it was not deleted, or too long ago. */
  thing: DeletedThing | undefined
  isAsking: boolean
}

/** Finds a missing thing in the trash; asks only if `isMissing`. */
export function useTrashed(kind: DeletedThing['kind'], id: number, isMissing: boolean): Trashed {
  const { data, error, isFetching } = useRead(`${area}/trash/get`, { kind, id }, { enabled: isMissing })
  const thing = failureOf(error).code === `${kind}_not_found` ? undefined : data?.thing
  return { thing, isAsking: isMissing && isFetching && thing === undefined }
}
