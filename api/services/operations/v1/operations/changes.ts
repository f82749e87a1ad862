/** What an update changes: the new values by column, and for the history what was before. */
export interface Changes {
  values: Record<string, unknown>
  history: Record<string, { from: unknown; to: unknown }>
}

/**
 * An absent field is left. Null clears a field that may be null; on one that may not (`kept`) it changes nothing.
 * A field that has its new value already is no change.
 */
export function changesOf(
  before: Record<string, unknown>,
  input: Record<string, unknown>,
  { kept }: { kept: readonly string[] },
): Changes {
  const values: Changes['values'] = {}
  const history: Changes['history'] = {}
  for (const [name, to] of Object.entries(input)) {
    if (to === undefined || (to === null && kept.includes(name)) || to === before[name]) continue
    values[name] = to
    history[name] = { from: before[name] ?? null, to }
  }
  return { values, history }
}

export const isEmpty = ({ values }: Changes) => Object.keys(values).length === 0
