// An authenticator in software, for tests of passkeys that need no browser: it signs as a phone or a security key does.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest()

/** CBOR of the few things that are needed: small numbers, bytes, texts, lists and maps. */
function cbor(value: number | string | Buffer | Buffer[] | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value))
    return Buffer.concat([head(4, value.length), ...value.map((entry) => cbor(entry))])
  const entries = [...value].flatMap(([key, entry]) => [cbor(key), cbor(entry as number)])
  return Buffer.concat([head(5, value.size), ...entries])
}

/** The public key as authenticators encode it: a point of the curve P-256. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
}

interface Ceremony {
  challenge: string
  /** The page that asks. */
  origin: string
  relyingParty: string
  /** Whether the person was verified, by a finger or a PIN. */
  isVerified?: boolean
}

/** What the maker of an authenticator says about a new passkey. */
interface Attested {
  format: string
  statement(publicKey: KeyObject, clientData: Buffer): Map<string, unknown>
}

const nothingSaid: Attested = { format: 'none', statement: () => new Map() }

const present = 1
const verified = 4
const hasCredential = 64

/** One passkey. Its counter grows with each signature unless it does not count. */
export function createAuthenticator({ counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  const dataOf = ({ relyingParty, isVerified = true }: Ceremony, flags: number, rest = Buffer.alloc(0)) => {
    const head = Buffer.alloc(5)
    head[0] = present | (isVerified ? verified : 0) | flags
    head.writeUInt32BE(counts ? ++counter : 0, 1)
    return Buffer.concat([sha256(relyingParty), head, rest])
  }
  const clientDataOf = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  return {
    create(ceremony: Ceremony, { format, statement }: Attested = nothingSaid) {
      const length = Buffer.from([0, id.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseOf(publicKey)])
      const authData = dataOf(ceremony, hasCredential, credential)
      const clientData = clientDataOf('webauthn.create', ceremony)
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', format],
          ['attStmt', statement(publicKey, clientData)],
          ['authData', authData],
        ]),
      )
      return {
        credential: encode(id),
        client_data: encode(clientData),
        attestation: encode(attestation),
      }
    },
    use(ceremony: Ceremony) {
      const clientData = clientDataOf('webauthn.get', ceremony)
      const data = dataOf(ceremony, 0)
      return {
        credential: encode(id),
        client_data: encode(clientData),
        authenticator_data: encode(data),
        signature: encode(sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)),
      }
    },
  }
}
