// What this browser remembers for one person, such as what they opened last. It is forgotten when they sign out or another person signs in.

const prefix = 'own:'
const ownPrefix = (userId: number) => `${prefix}${userId}:`

/** Storage may be full or disabled; nothing is remembered then. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Undefined if nothing is remembered. */
export const readOwn = (userId: number, name: string): unknown =>
  attempt(() => JSON.parse(localStorage.getItem(ownPrefix(userId) + name) ?? 'null')) ?? undefined

export const writeOwn = (userId: number, name: string, value: unknown) =>
  attempt(() => localStorage.setItem(ownPrefix(userId) + name, JSON.stringify(value)))

/** Forgets everything, or everything of others than one person. */
export function forgetOwn(exceptUserId?: number) {
  attempt(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(prefix) && (exceptUserId === undefined || !key.startsWith(ownPrefix(exceptUserId))))
        localStorage.removeItem(key)
  })
}
