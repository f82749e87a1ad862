import { connect } from '#database/connect.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { compare } from '../compare.ts'
import { type Load, post, runLoad, startLoad } from '../load.ts'
import { startMailSink } from '../mail-sink.ts'
import type { Row, Stage } from '../row.ts'
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

const people = 10_000
const membersPerProject = 10
const quietSeconds = 10

/** Adds people with an overdue card each, in projects of some members. */
async function addPeople({ database }: Service): Promise<void> {
  const projects = people / membersPerProject
  const scenes = await addScenes(database, { projects, groups: 1, cardsPerGroup: 4 * membersPerProject })
  const db = connect(database, { connections: 1, longestStatementSeconds: 0 })
  const first = (scenes[0] as Scene).projectId
  await db.sql`
    insert into users (email, name, password_hash, default_project_id)
    select 'reader-' || number || '@example.test', 'Reader ' || number, '', ${first}::bigint + number % ${projects}::int
    from generate_series(0, ${people - 1}::int) number`
  await db.sql`
    insert into memberships (project_id, user_id, role)
    select default_project_id, id, 'member' from users where email like 'reader-%'`
  await db.sql`
    update cards c set owner_id = reader.id, due_date = now() - interval '1 day'
    from (select id, default_project_id, row_number() over (partition by default_project_id order by id) as place
      from users where email like 'reader-%') reader
    where c.project_id = reader.default_project_id and c.sort_order = reader.place`
  await db.sql`update users set digest_at = now() + interval '1 day'`
  await db.sql`analyze`
  await db.end()
}

async function makeDigestsDue({ database }: Service): Promise<void> {
  const db = connect(database, { connections: 1 })
  await db.sql`update users set digest_at = now() where email like 'reader-%'`
  await db.sql`update jobs set run_at = now() where kind = 'sendDigests'`
  await db.end()
}

interface Digests {
  seconds: number
  /** The p99 of boards/get before and meanwhile. */
  quiet: number
  meanwhile: number
}

let digests: Promise<Digests> | undefined

/** Both rows are about one run: from the moment that 10,000 people are due to the last mail, while boards are read. */
const measureDigests = (stage: Stage): Promise<Digests> => {
  digests ??= sendDigests(stage)
  return digests
}

async function sendDigests({ toUndo }: Stage): Promise<Digests> {
  const sink = await startMailSink(toUndo)
  const service = await startService(toUndo, {
    SMTP_URL: sink.url,
    CARDINAL_MAIL_FROM: 'cardinal@example.test',
  })
  const scenes = await addScenes(service.database, usualBoard)
  await addPeople(service)
  const requests = scenes.map(({ token, boardId }) =>
    post(`${service.apiUrl}${operations}/boards/get`, { id: boardId }, { authorization: `Bearer ${token}` }),
  )
  let next = 0
  const load: Load = {
    url: service.apiUrl,
    clients: 16,
    request: () => requests[next++ % requests.length] as Buffer,
  }
  await runLoad(load, sliceSeconds)
  const quiet = (await runLoad(load, quietSeconds)).latency(99)
  const running = await startLoad(load)
  const began = performance.now()
  await makeDigestsDue(service)
  await sink.received(people)
  const seconds = (performance.now() - began) / 1000
  const meanwhile = (await running.stop()).latency(99)
  return { seconds, quiet, meanwhile }
}

export const inboxRows: Row[] = [
  {
    name: 'inbox: cards/update that assigns, 16 in flight',
    unit: 'requests/s',
    ceiling: 'the same without an inbox',
    target: { atLeast: 0.95 },
    async measure({ toUndo }) {
      // Both are new: the service of the other rows has a database with millions of their rows.
      const [following, without] = [
        await startService(toUndo),
        await startService(toUndo, { CARDINAL_INBOX: 'false' }),
      ]
      const [subject, ceiling] = [await assigning(following), await assigning(without)]
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
  {
    name: 'inbox: daily mails to 10,000 people while boards are read, until the last is sent',
    unit: 's',
    target: { atMost: 60 },
    measure: async (stage) => ({ subject: (await measureDigests(stage)).seconds }),
  },
  {
    name: 'inbox: boards/get p99 while they are sent, 16 in flight',
    unit: 'ms',
    ceiling: 'the same before',
    target: { atMost: 2 },
    async measure(stage) {
      const { meanwhile, quiet } = await measureDigests(stage)
      return { subject: meanwhile, ceiling: quiet, ratio: meanwhile / quiet }
    },
  },
]
