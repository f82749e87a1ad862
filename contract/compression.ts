// Compresses what is sent, for clients that accept it.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { bytesOf, type SharedBody } from './bodies.ts'

const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Smaller bodies take as long to send as to compress. */
const leastBytes = 2048

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

const compressors: Record<Coding, (bytes: Buffer) => Promise<Buffer>> = {
  // As fast as gzip, and smaller.
  br: (bytes) => asBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => asGzip(bytes),
}

/** The first coding that a client accepts, of the codings that are there. */
export function acceptedCoding(
  header: string | string[] | undefined,
  isThere: (coding: Coding) => boolean = () => true,
): Coding | undefined {
  if (header === undefined) return undefined
  const parts = String(header).toLowerCase().replaceAll(/[ \t]/g, '').split(',')
  const accepted = parts.filter(isAccepted).map((part) => part.replace(/;.*/, ''))
  return codings.find((coding) => isThere(coding) && accepted.includes(coding))
}

/** A weight that is 0 or no weight refuses a coding, wherever it is among the parameters. */
const isAccepted = (part: string): boolean =>
  part.split(';').every((parameter) => !parameter.startsWith('q=') || weight.test(parameter))

const weight = /^q=(1(\.0{0,3})?|0\.(?!0+$)\d{1,3})$/

export const isWorthIt = (body: string | SharedBody): boolean => bytesOf(body) >= leastBytes

/** A shared body is compressed once. */
export function compressed(body: string | SharedBody, coding: Coding): Promise<Buffer> {
  if (typeof body === 'string') return compressors[coding](Buffer.from(body))
  const key = `${coding} ${body.head}`
  const known = body.compressed.get(key)
  if (known) return known
  const compressing = compressors[coding](
    body.head === '' ? body.rest : Buffer.concat([Buffer.from(body.head), body.rest]),
  )
  body.compressed.set(key, compressing)
  compressing.catch(() => body.compressed.delete(key))
  return compressing
}
