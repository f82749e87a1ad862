import type { TestService } from './service.ts'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire holds, which is what the test looks at.
  body: any
  headers: Headers
}

/** Sends what the typed client would not let through; at v1, as deployed clients do. */
export function sender(service: TestService, token: string, base: string) {
  return async (path: string, input: object, more: Record<string, string> = {}): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...more }
    const response = await service.fetch(base + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    })
    return { status: response.status, body: await response.json(), headers: response.headers }
  }
}
