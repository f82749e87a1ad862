import { BlockList, isIP } from 'node:net'

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** Its host name. */
  id: string
  origin: string
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Made from the address that the operator has set, and never from what a request calls the service. Undefined if passkeys cannot work
 * there: browsers allow them on https and on this machine, and at no IP address.
 */
export function relyingPartyOf(address: string): RelyingParty | undefined {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  const family = isIP(host)
  // People on this machine can also call it localhost, which is a name.
  if (family !== 0 && loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')) url.hostname = 'localhost'
  const { hostname: id, origin, protocol } = url
  const isSecure = protocol === 'https:' || /^(.+\.)?localhost$/.test(id)
  return isSecure && isIP(id) === 0 && !id.startsWith('[') ? { id, origin } : undefined
}
