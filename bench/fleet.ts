import { request } from 'node:http'
import { recountCoverage } from '#coverage/counts.ts'
import { connect, type Database } from '#database/connect.ts'
import type { DatabaseAddress } from '#database/embedded.ts'
import { countProjects } from '#fleet/counting.ts'
import { newToken, sha256 } from '#identity/tokens.ts'
import { keepRevisions } from '#templates/masters.ts'
import type { Service } from './service.ts'

export interface Master {
  boardId: number
  cardIds: number[]
}

/** Many projects that share a tool, and a superadmin who rolls out master boards of that tool to them. */
export interface Fleet {
  db: Database
  tool: string
  size: number
  token: string
  addMaster(): Promise<Master>
  /** Changes the title of a master card, as an update would; of all its cards if it is said. */
  changeCard(master: Master, title: string, cards?: 'first' | 'all'): Promise<void>
}

let fleets = 0

export async function addFleet(
  address: DatabaseAddress,
  size: number,
  toUndo: AsyncDisposableStack,
): Promise<Fleet> {
  const db = connect(address, { connections: 1 })
  toUndo.defer(() => db.end())
  const { sql } = db
  const tool = `fleet-${++fleets}`
  await sql`set statement_timeout = 0`
  await sql`
    insert into projects (platform_id, name, tool_keys)
    select (select min(id) from platforms), 'Fleet ' || number, ${sql.json([tool])} from generate_series(1, ${size}::int) number`
  await recountCoverage(db)
  await sql`analyze`
  const token = newToken()
  const [user] = await sql<{ id: number }[]>`
    insert into users (email, name, password_hash, superadmin, superadmin_billing, totp_secret)
    values (${`${tool}@example.test`}, 'Bench', '', true, true, 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP')
    returning id`
  const userId = user?.id as number
  await sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    values (${sha256(token)}, ${userId}, 'bearer', false, '127.0.0.1', 'bench', now() + interval '1 day')`
  return {
    db,
    tool,
    size,
    token,
    addMaster: () => addMaster(db, tool, userId),
    async changeCard({ boardId, cardIds: all }, title, cards = 'first') {
      const cardIds = cards === 'all' ? all : all.slice(0, 1)
      await sql`update master_cards set title = ${title} where id = any(${cardIds}::bigint[])`
      await keepRevisions(db, boardId, userId, { cardIds })
    },
  }
}

const groupsPerBoard = 4
const cardsPerBoard = 50

async function addMaster(db: Database, tool: string, userId: number): Promise<Master> {
  const { sql } = db
  const [board] = await sql<{ id: number }[]>`
    insert into master_boards (platform_id, title, tool_key, created_by)
    select min(id), 'Launch', ${tool}, ${userId} from platforms returning id`
  const boardId = board?.id as number
  const groups = await sql<{ id: number }[]>`
    insert into master_groups (board_id, title, created_by)
    select ${boardId}, 'Group ' || number, ${userId} from generate_series(1, ${groupsPerBoard}::int) number returning id`
  const groupIds = groups.map(({ id }) => id)
  const cards = await sql<{ id: number }[]>`
    insert into master_cards (board_id, platform_id, group_id, title, description, sort_order, created_by)
    select ${boardId}, (select min(id) from platforms), (${groupIds}::bigint[])[1 + number % ${groupsPerBoard}::int], 'Card ' || number,
      '<p>Some words about what is to be done, and by when.</p>', number, ${userId}
    from generate_series(1, ${cardsPerBoard}::int) number returning id`
  const cardIds = cards.map(({ id }) => id)
  await keepRevisions(db, boardId, userId, { board: true, groupIds, cardIds })
  return { boardId, cardIds }
}

/** The same rows with bare statements, in one transaction of one session. */
export async function insertBare({ db, tool }: Fleet, { boardId }: Master): Promise<void> {
  await db.transaction(async ({ sql }) => {
    await sql`
      insert into boards (project_id, master_board_id, master_revision, tool_key, title)
      select p.id, m.id, m.revision, m.tool_key, m.title from projects p, master_boards m
      where m.id = ${boardId} and p.tool_keys ? ${tool}`
    await sql`
      insert into groups (project_id, board_id, master_group_id, master_revision, title, rank)
      select b.project_id, b.id, g.id, g.revision, g.title, g.rank
      from boards b join master_groups g on g.board_id = b.master_board_id where b.master_board_id = ${boardId}`
    await sql`
      insert into cards (project_id, board_id, group_id, master_card_id, master_revision, card_type, title, description,
        status, priority, rank, sort_order)
      select g.project_id, g.board_id, g.id, c.id, c.revision, 'template', c.title, c.description, c.status, c.priority, c.rank,
        c.sort_order
      from groups g join master_cards c on c.group_id = g.master_group_id where c.board_id = ${boardId}`
  })
}

const countedAtOnce = 500

/** Counts the figures of all projects now, so that the service does not while something is measured. */
export async function countFleet({ db, tool }: Fleet): Promise<void> {
  const projects = await db.sql<
    { id: number }[]
  >`select id from projects where tool_keys ? ${tool} order by id`
  const ids = projects.map(({ id }) => id)
  for (let at = 0; at < ids.length; at += countedAtOnce)
    await db.transaction((queries) => countProjects(queries, ids.slice(at, at + countedAtOnce)))
}

/** The change of one card in every project with one bare statement. */
export async function updateBare({ db, tool }: Fleet, { cardIds }: Master, title: string): Promise<void> {
  await db.sql`
    update cards c set title = ${title}, master_revision = master_revision + 1, updated_at = now() from projects p
    where p.tool_keys ? ${tool} and c.project_id = p.id and c.master_card_id = ${cardIds[0] as number}`
}

/** Calls an operation without a time limit, and returns the milliseconds. */
export async function timeCall(
  service: Service,
  { token }: Fleet,
  path: string,
  body: object,
): Promise<number> {
  const url = service.apiUrl + (path.startsWith('/') ? path : `/services/operations/v2/admin/${path}`)
  const startedAt = performance.now()
  const bytes = JSON.stringify(body)
  await new Promise<void>((resolve, reject) => {
    const call = request(
      url,
      { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200 || response.statusCode === 201
            ? resolve()
            : reject(new Error(`${path} answered ${response.statusCode}`)),
        )
      },
    )
    call.on('error', reject)
    call.end(bytes)
  })
  return performance.now() - startedAt
}

export async function timeBare(work: Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work
  return performance.now() - startedAt
}
