import { identity } from '../data/client.ts'
import { useRead } from '../data/read.ts'

/** The names of the platforms by id, or none unless there are several: pages show platforms only then. */
export function usePlatforms(enabled = true): ReadonlyMap<number, string> {
  const { data } = useRead(`${identity}/platforms/list`, {}, { enabled })
  const platforms = data?.platforms ?? []
  return new Map(platforms.length > 1 ? platforms.map(({ id, name }) => [id, name]) : [])
}
