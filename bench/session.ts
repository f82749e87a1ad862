import { demoPassword } from '../demo/accounts.ts'
import type { Service } from './service.ts'

/** Signs a demo account in and returns its token. */
export async function signIn({ apiUrl }: Service, email: string): Promise<string> {
  const response = await fetch(`${apiUrl}/v1/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  })
  const { data } = (await response.json()) as { data: { token: string } }
  return data.token
}

/** The service's response, so that a ceiling can send the same bytes. */
export async function fetchAnswer(url: string, token: string, body: object = {}) {
  const response = await fetch(url, {
    method: 'POST',
    // Like the load generator, which accepts no compression.
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'accept-encoding': 'identity',
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  const headers = Object.fromEntries(response.headers)
  // node:http adds these by itself.
  for (const name of ['date', 'connection', 'keep-alive']) delete headers[name]
  return { headers, body: await response.text() }
}
