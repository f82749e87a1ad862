import { identity, signInClient } from '../../data/client.ts'

const key = 'cardinal.single-sign-on'

/** Leaves for the identity provider; the person comes back to `to`, an address of this app. */
export async function beginSingleSignOn(to: string): Promise<void> {
  const { url } = await signInClient.call(`${identity}/single-sign-on/begin`)
  sessionStorage.setItem(key, to)
  location.assign(url)
}

/** Where the person wanted to go. */
export function takeDestination(): string {
  const to = sessionStorage.getItem(key) ?? '/'
  sessionStorage.removeItem(key)
  return to
}
