import { createContext, type ReactNode, use, useMemo } from 'react'

const ScopeContext = createContext<readonly string[]>([])

/** Links the drafts of all fields inside to a thing, such as `card 5`, so that they can be found after its deletion. */
export function DraftScope({ of, children }: { of: string; children: ReactNode }) {
  const around = use(ScopeContext)
  const scopes = useMemo(() => [...around, of], [around, of])
  return <ScopeContext value={scopes}>{children}</ScopeContext>
}

export const useDraftScopes = (): readonly string[] => use(ScopeContext)
