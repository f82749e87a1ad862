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
    history[name] = { from: told(before[name] ?? null), to: told(to) }
  }
  return { values, history }
}

const longestTold = 500

/** The beginning of a long text: a page of activity and a resumed stream hold up to 1,000 events in memory. */
const told = (value: unknown) =>
  typeof value === 'string' && value.length > longestTold
    ? `${value.slice(0, longestTold).toWellFormed()}…`
    : value

export const isEmpty = ({ values }: Changes) => Object.keys(values).length === 0
