const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** Converts a date, or a date and time with or without offset (then UTC), to the format of answers; undefined if there is no such date. */
export function readTimestamp(value: unknown, { keepsOffset = false } = {}): string | undefined {
  const parts = typeof value === 'string' ? shape.exec(value) : null
  if (!parts) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = parts
  const clock = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const local = new Date(`${clock}Z`)
  // A date that does not exist, such as 30 February, comes back as another one.
  if (Number.isNaN(local.getTime()) || local.toISOString().slice(0, 19) !== clock || year === '0000')
    return undefined
  const zone = /^z$/i.test(offset) ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  const written = `${clock}.${fraction.padEnd(3, '0').slice(0, 3)}${zone}`
  const instant = new Date(written)
  if (Number.isNaN(instant.getTime()) || instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999)
    return undefined
  return keepsOffset ? written : instant.toISOString()
}
