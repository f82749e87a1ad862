import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** The parameters of the address, and a function that changes them without a new entry in the history. */
export function useAddress() {
  const [search, setSearch] = useSearchParams()
  const change = useCallback(
    (edit: (next: URLSearchParams) => void) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before)
          edit(next)
          return next
        },
        { replace: true },
      ),
    [setSearch],
  )
  const set = useCallback(
    (name: string, value: string | undefined) =>
      change((next) => (value === undefined || value === '' ? next.delete(name) : next.set(name, value))),
    [change],
  )
  return { search, change, set }
}
