import { createContext, type ReactNode, use, useMemo } from 'react'

const ScopeContext = createContext<readonly string[]>([])

/** The drafts of all fields inside belong to a thing, such as `card 5`, and are found by it once it is gone. */
export function DraftScope({ of, children }: { of: string; children: ReactNode }) {
  const around = use(ScopeContext)
  const scopes = useMemo(() => [...around, of], [around, of])
  return <ScopeContext value={scopes}>{children}</ScopeContext>
}

export const useDraftScopes = (): readonly string[] => use(ScopeContext)
