// Sign-ins of people and strangers from any address, for tests of whose password is checked next.
import { randomUUID } from 'node:crypto'
import { until } from './event-stream.ts'
import { password, startTestService } from './service.ts'

const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
export const { db } = service
export const users = await Promise.all(Array.from({ length: 8 }, () => service.addUser()))

export const signIn = (email: string, given: string, headers: Record<string, string>) =>
  service.fetch('/v1/authenticate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email, password: given }),
  })

export const from = (address: string) => ({ 'x-forwarded-for': address })
const guess = (address: string) => signIn(`${randomUUID()}@example.test`, 'a wrong password', from(address))

/** Keeps wrong sign-ins in flight until the returned function is called. */
export async function flood(count: number, addressOf: (number: number) => string) {
  const statuses: number[] = []
  let isOver = false
  const guesses = Array.from({ length: count }, async (_, number) => {
    while (!isOver) statuses.push((await guess(addressOf(number))).status)
  })
  await until(() => statuses.length > 0, 'an answer')
  return async () => {
    isOver = true
    await Promise.all(guesses)
    return new Set(statuses)
  }
}

/** What a device gets when somebody signs in. */
export const cookieOf = async (email: string) => {
  const response = await signIn(email, password, from('198.51.100.1'))
  return response.headers.getSetCookie()[0] ?? ''
}
