// What every request passes before its route: the name by which it calls the service.
import { isIP } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config.ts'
import type { Gate } from '#contract/admission.ts'
import { FastifyExchange } from '#contract/exchange.ts'
import { fail } from '#contract/failure.ts'
import { addressKey } from '#contract/rate-limit.ts'
import { refusalOf } from '#contract/refusal.ts'
import type { Log } from '../log.ts'

type Settings = Pick<Config, 'host' | 'publicUrl' | 'allowedHosts'>
type Counting = Pick<Gate<{ id: number }>, 'count' | 'limits' | 'unread'>

/** Refuses requests for other host names, because a website could let its own name lead here and so read what only this machine may read. */
export function guardEntrance(app: FastifyInstance, settings: Settings, gate: () => Counting, log: Log) {
  const isAllowed = allowedNames(settings)
  const warnOfHost = once((host: string) =>
    log.warn({ host }, 'refused a host name; allow it with CARDINAL_ALLOWED_HOSTS if people use it'),
  )
  app.addHook('onRequest', async (request, reply) => {
    const { host } = request.headers
    // Only programs that speak HTTP/1.0, such as health checks, may leave it out, and no name can mislead them.
    if (host === undefined || isAllowed(host)) return
    warnOfHost(host)
    return refuse(gate(), request, reply)
  })
}

function allowedNames({ host, publicUrl, allowedHosts }: Settings): (host: string) => boolean {
  const names = new Set(allowedHosts)
  names.add(host.toLowerCase())
  if (publicUrl !== undefined) names.add(new URL(publicUrl).hostname)
  return (host) => {
    const name = host
      .toLowerCase()
      .replace(/:\d*$/, '')
      .replace(/^\[(.+)\]$/, '$1')
      .replace(/\.$/, '')
    return isIP(name) !== 0 || /^(.+\.)?localhost$/.test(name) || names.has(name)
  }
}

async function refuse(gate: Counting, request: FastifyRequest, reply: FastifyReply) {
  const http = new FastifyExchange(request, reply, gate.unread)
  const counted = await gate.count(`address:${addressKey(http.address)}`, gate.limits.perAddress)
  http.setCount(counted)
  const { retryAfterSeconds } = counted
  const failure =
    retryAfterSeconds === undefined
      ? fail(400, 'host_not_allowed')
      : fail(429, 'rate_limited', retryAfterSeconds)
  const { status, body } = refusalOf(failure, http)
  return http.answer(status, body)
}

/** Calls it the first time only. */
function once<Value>(effect: (value: Value) => void): (value: Value) => void {
  let isDone = false
  return (value) => {
    if (!isDone) effect(value)
    isDone = true
  }
}
