// Names of time zones, such as `Europe/Berlin`, which the service and the database have to know alike.
import { codeOf, type Queries } from '#database/connect.ts'

/** PostgreSQL's code for a value that is not one of those it knows. */
const invalidValue = '22023'

/** The database would also take offsets and forms of its own, which mean something else elsewhere. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/i.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** Fails if the database does not know the name. */
export async function requireTimeZone({ sql }: Queries, name: string | null): Promise<void> {
  if (name !== null) await sql`select now() at time zone ${name}::text as here`
}

/** Whether a statement failed for that reason. */
export const isUnknownTimeZone = (error: unknown): boolean => codeOf(error) === invalidValue
