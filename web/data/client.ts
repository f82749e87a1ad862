import type { Registry } from '#api/registry.ts'
import { type Calls, type Client, createClient, type WithoutInput } from '#contract/client.ts'
import { language } from '../words/locale.ts'
import { fetchOrTake } from './early.ts'

export type Operations = Calls<Registry>
export type Path = keyof Operations & string
export type PathWithoutInput = WithoutInput<Operations> & Path
export type Input<P extends Path> = Operations[P]['input']
export type Output<P extends Path> = Operations[P]['output']

/** The path of most operations. */
export const area = '/services/operations/v1/operations'
/** The path of superadmins' operations. */
export const admin = '/services/operations/v1/admin'
export const identity = '/services/identity/v1'
export const platforms = '/services/platforms/v1'
export const themes = '/services/websites/v1/themes'

const baseUrl = '/api'

/** For people who have not chosen a language in their account. */
const said = { 'accept-language': language }

/** For signing in; the session is then in a cookie that scripts cannot read. */
export const signInClient: Client<Operations> = createClient<Operations>({
  baseUrl,
  headers: { ...said, 'x-session': 'cookie' },
})

/** A client for one project, or for the caller's default one. */
export const clientOf = (projectId?: number, send = fetchOrTake): Client<Operations> =>
  createClient<Operations>({
    baseUrl,
    headers: projectId === undefined ? said : { ...said, 'x-project-id': String(projectId) },
    fetch: send,
  })

export const streamUrl = (projectId: number, streamId: string) =>
  `${baseUrl}/services/operations/v2/operations/events/stream?project_id=${projectId}&stream_id=${streamId}`
