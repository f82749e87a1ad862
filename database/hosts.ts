export interface Host {
  hostname: string
  port: number
}

/** The parts of an address that may name several hosts, such as `postgres://a:5432,b/cardinal`, which `URL` does not read. */
export function splitHosts(address: string): { names: string[]; urlOf(name: string): string } {
  const [, before, list, after] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/i.exec(address) ?? []
  if (list === undefined) return { names: [''], urlOf: () => address }
  return { names: list.split(','), urlOf: (name) => `${before}${name}${after}` }
}

/** The host of an address that names one. */
export function hostOf(address: string): Host {
  const { hostname, port } = new URL(address)
  return { hostname: hostname.replace(/^\[(.+)\]$/, '$1'), port: Number(port || 5432) }
}
