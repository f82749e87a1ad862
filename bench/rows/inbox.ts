import { connect } from '#database/connect.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { compare } from '../compare.ts'
import { type Load, post, runLoad } from '../load.ts'
import type { Row } from '../row.ts'
import { addScenes, type Scene } from '../scene.ts'
import { type Service, startService } from '../service.ts'

const operations = '/services/operations/v1/operations'
const usualBoard = { projects: 10, groups: 5, cardsPerGroup: 20 }
const sliceSeconds = 1

/** Somebody else in the project, to whom cards are assigned. */
async function addColleague(service: Service, { projectId }: Scene) {
  const db = connect(service.database, { connections: 1 })
  const token = newToken()
  const [user] = await db.sql<{ id: number }[]>`
    insert into users (email, name, password_hash, default_project_id)
    values (${`colleague-${projectId}@example.test`}, 'Colleague', '', ${projectId}) returning id`
  const id = user?.id as number
  await db.sql`insert into memberships (project_id, user_id, role) values (${projectId}, ${id}, 'member')`
  await db.sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    values (${sha256(token)}, ${id}, 'bearer', false, '127.0.0.1', 'bench', now() + interval '1 day')`
  await db.end()
  return { id, token }
}

/** Assigns the cards of some projects to a colleague and takes them back, in turn. */
async function assigning(service: Service): Promise<Load> {
  const scenes = await addScenes(service.database, usualBoard)
  const requests: Buffer[] = []
  for (const scene of scenes) {
    const { id } = await addColleague(service, scene)
    for (const owner_id of [id, null])
      for (const card of scene.cardIds)
        requests.push(
          post(
            `${service.apiUrl}${operations}/cards/update`,
            { id: card, owner_id },
            { authorization: `Bearer ${scene.token}` },
          ),
        )
  }
  let next = 0
  return { url: service.apiUrl, clients: 16, request: () => requests[next++ % requests.length] as Buffer }
}

export const inboxRows: Row[] = [
  {
    name: 'inbox: cards/update that assigns, 16 in flight',
    unit: 'requests/s',
    ceiling: 'the same without an inbox',
    target: { atLeast: 0.95 },
    async measure({ service, toUndo }) {
      const without = await startService(toUndo, { CARDINAL_INBOX: 'false' })
      const [subject, ceiling] = [await assigning(service), await assigning(without)]
      return compare(
        async () => (await runLoad(subject, sliceSeconds)).perSecond,
        async () => (await runLoad(ceiling, sliceSeconds)).perSecond,
      )
    },
  },
  {
    name: 'inbox: from assigning a card to the item, p95',
    unit: 'ms',
    target: { atMost: 1000 },
    async measure({ service }) {
      const [scene] = (await addScenes(service.database, { ...usualBoard, projects: 1 })) as [Scene]
      const colleague = await addColleague(service, scene)
      const call = async (token: string, path: string, input: object) => {
        const response = await fetch(service.apiUrl + operations + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(input),
        })
        return (await response.json()) as { data: { unread_count: number } }
      }
      const times: number[] = []
      for (const id of scene.cardIds) {
        const began = performance.now()
        await call(scene.token, '/cards/update', { id, owner_id: colleague.id })
        while ((await call(colleague.token, '/inbox/unread', {})).data.unread_count === 0);
        times.push(performance.now() - began)
        await call(colleague.token, '/inbox/mark-all-read', {})
      }
      times.sort((a, b) => a - b)
      return { subject: times[Math.floor(times.length * 0.95)] as number }
    },
  },
]
