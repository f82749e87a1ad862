import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import test from 'node:test'
import { createAuthenticator } from '#tests/authenticator.ts'
import { verifyNew } from './verifying-passkey.ts'

const site = { id: 'localhost', origin: 'http://localhost:3000' }
const ceremony = { challenge: 'c2lnbmVk', origin: site.origin, relyingParty: site.id }
const isChallenge = (challenge: string) => challenge === ceremony.challenge

/** DER of the few things that a certificate consists of. */
const der = (tag: number, ...parts: (Buffer | number[])[]) => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(6, Buffer.from(hex, 'hex'))
const bytes = (content: Buffer | number[]) => der(4, content)
const signedWithSha256 = sequence(oid('2a8648ce3d040302'))
const nameOf = (name: string) => sequence(der(0x31, sequence(oid('550403'), der(12, Buffer.from(name)))))
const forAges = sequence(der(23, Buffer.from('200101000000Z')), der(23, Buffer.from('491231000000Z')))

interface Certified {
  name: string
  key: KeyObject
  extensions: Buffer[]
}

function certificate({ name, key, extensions }: Certified, by: { name: string; key: KeyObject }): Buffer {
  const content = sequence(
    der(0xa0, der(2, [2])),
    der(2, [1]),
    signedWithSha256,
    nameOf(by.name),
    forAges,
    nameOf(name),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', content, by.key)
  return sequence(content, signedWithSha256, der(3, [0], signature))
}

/** As Android's keys are certified, by a root that the sender has made: where its revoked certificates are listed is up to the sender. */
function certificatesOf(passkey: KeyObject, clientData: Buffer, listAddress: string): Buffer[] {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const level = der(10, [1])
  const challenge = bytes(createHash('sha256').update(clientData).digest())
  const description = sequence(
    der(2, [3]),
    level,
    der(2, [3]),
    level,
    challenge,
    bytes([]),
    sequence(),
    sequence(),
  )
  const list = sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(listAddress))))))
  const extensions = [
    sequence(oid('2b06010401d679020111'), bytes(description)),
    sequence(oid('551d1f'), bytes(list)),
  ]
  const by = { name: 'Root', key: root.privateKey }
  return [
    certificate({ name: 'Key', key: passkey, extensions }, by),
    certificate(
      {
        name: 'Root',
        key: root.publicKey,
        extensions: [sequence(oid('551d13'), bytes(sequence(der(1, [255]))))],
      },
      by,
    ),
  ]
}

test('what the maker of a new passkey says about it is not read, and no address in it is called', async (t) => {
  const called: string[] = []
  t.mock.method(globalThis, 'fetch', async (address: string) => {
    called.push(address)
    throw new Error('There is no network.')
  })
  const statements = {
    'android-key': (key: KeyObject, clientData: Buffer) =>
      new Map<string, unknown>([
        ['alg', -7],
        ['sig', Buffer.alloc(70, 1)],
        ['x5c', certificatesOf(key, clientData, 'http://169.254.169.254/')],
      ]),
    packed: () => new Map<string, unknown>([['alg', -7]]),
    'made-up': () => new Map<string, unknown>(),
  }
  for (const [format, statement] of Object.entries(statements)) {
    const made = createAuthenticator().create(ceremony, { format, statement })
    const { credential, client_data: clientData, attestation } = made
    const verified = await verifyNew({ credential, clientData, attestation }, { site, isChallenge })
    assert.deepEqual(called, [], format)
    assert.equal(verified?.credential, credential, format)
  }
})

test('a new passkey of another site or challenge is not accepted, and no bytes at all', async () => {
  const { credential, client_data: clientData, attestation } = createAuthenticator().create(ceremony)
  const made = { credential, clientData, attestation }
  const judge = (given: typeof made, at = site, challenge = isChallenge) =>
    verifyNew(given, { site: at, isChallenge: challenge })
  assert.equal((await judge(made))?.credential, credential)
  assert.equal(await judge(made, { ...site, id: 'other.test' }), undefined)
  assert.equal(await judge(made, { ...site, origin: 'https://other.test' }), undefined)
  assert.equal(await judge(made, site, () => false), undefined)
  for (const nothing of ['', 'AAAA', 'oA', attestation.slice(0, 40)])
    assert.equal(await judge({ ...made, attestation: nothing }), undefined, nothing)
})
