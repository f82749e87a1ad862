import type { TestService } from './service.ts'

export interface Answer<Data> {
  status: number
  headers: Headers
  text: string
  body: { error?: boolean; message: string; data: Data; errors?: Record<string, string[]> }
}

/** A raw HTTP call with the response as it is on the wire; the typed client has v2 only. */
export async function post<Data = unknown>(
  service: Pick<TestService, 'fetch'>,
  path: string,
  token: string,
  input?: object,
  headers: Record<string, string> = {},
): Promise<Answer<Data>> {
  const type = input === undefined ? {} : { 'content-type': 'application/json' }
  const response = await service.fetch(path, {
    method: 'POST',
    headers: { accept: 'application/json', authorization: `Bearer ${token}`, ...type, ...headers },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** The same with a fixed service, caller and folder, for requests that the typed client does not allow. */
export const sender =
  (service: TestService, token: string, base: string) =>
  // biome-ignore lint/suspicious/noExplicitAny: it is whatever the wire holds, which is what the test looks at.
  (path: string, input: object, headers?: Record<string, string>): Promise<Answer<any>> =>
    post(service, base + path, token, input, headers)
