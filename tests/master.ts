import assert from 'node:assert/strict'
import { firstPlatform } from '#projects/platform.ts'
import type { TestService } from './service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'

export type MasterFixture = Awaited<ReturnType<typeof createMaster>>
export type Receiver = Awaited<ReturnType<typeof createReceiver>>

/** The coverage of a template: the projects that should have it, by state. */
export const coverageNames = [
  'access_count',
  'covered_count',
  'up_to_date_count',
  'behind_count',
  'missing_count',
  'refused_count',
  'opted_out_count',
] as const

let tools = 0

/**
 * A master board of two groups with cards in the first, and projects that have not received it yet. It has its own tool, so that
 * projects of other tests have no access.
 */
export async function createMaster(
  service: TestService,
  { projects = 1, cards = 2, title = 'Launch', platformId = null as number | null } = {},
) {
  const toolKey = `tool-${++tools}`
  const receivers: Receiver[] = []
  for (let number = 1; number <= projects; number++) receivers.push(await createReceiver(service, toolKey))
  const superadmin = await service.addUser({ superadmin: true })
  const admin = service.client(superadmin.token)
  const { board } = await admin.call(`${masters}/master-boards/create`, {
    title,
    platform_id: platformId ?? (await firstPlatform(service.db)),
  })
  // The operation refuses a product that no project of the platform has.
  await service.db.sql`update master_boards set tool_key = ${toolKey} where id = ${board.id}`
  const groupIds: number[] = []
  for (const title of ['Plan', 'Build']) {
    const { group } = await admin.call(`${masters}/master-groups/create`, { board_id: board.id, title })
    groupIds.push(group.id)
  }
  const addCard = async (input: { title: string; group_id?: number; push_to_projects?: boolean }) =>
    (await admin.call(`${masters}/master-cards/create`, { group_id: groupIds[0] as number, ...input })).card
      .id
  const cardIds: number[] = []
  for (let number = 1; number <= cards; number++) cardIds.push(await addCard({ title: `Card ${number}` }))
  return {
    toolKey,
    superadmin,
    admin,
    boardId: board.id,
    platformId: board.platform_id as number,
    groupIds: groupIds as [number, number],
    cardIds,
    addCard,
    projects: receivers,
    publish: (note?: string) =>
      admin.call(`${masters}/master-boards/publish`, { id: board.id, ...(note !== undefined && { note }) }),
    sync: () => admin.call(`${masters}/master-boards/sync`, { board_id: board.id }),
    push: async (card_id: number) =>
      (await admin.call(`${masters}/master-cards/push`, { card_id })).projects_updated,
    whole: async () => (await admin.call(`${masters}/master-boards/get`, { id: board.id })).board,
    /** The project's copy of the board. */
    copyIn: (project: Receiver) => project.boardOf(board.id),
  }
}

/** A project with the tool, and its admin's view. */
async function createReceiver(service: TestService, toolKey: string) {
  const id = await service.addProject('Project', [toolKey])
  const user = await service.addUser({ roles: { [id]: 'admin' } })
  const client = service.client(user.token)

  async function findBoard(masterId: number) {
    const { boards } = await client.call(`${operations}/boards/list`)
    const found = boards.find((board) => board.master_board_id === masterId)
    return found && (await client.call(`${operations}/boards/get`, { id: found.id })).board
  }
  async function boardOf(masterId: number) {
    const board = await findBoard(masterId)
    assert.ok(board, `the project has no copy of master board ${masterId}`)
    return board
  }
  return {
    id,
    user,
    client,
    findBoard,
    boardOf,
    /** The project's copy of a master card, or undefined. */
    async cardOf(masterId: number) {
      const { boards } = await client.call(`${operations}/boards/list`)
      for (const listed of boards) {
        const { board } = await client.call(`${operations}/boards/get`, { id: listed.id })
        const found = board.groups
          .flatMap((group) => group.cards)
          .find((card) => card.master_card_id === masterId)
        if (found) return found
      }
      return undefined
    },
    async countEvents(): Promise<number> {
      const rows = await service.db.sql`select from events where project_id = ${id}`
      return rows.length
    },
  }
}

/** Fails the test if the value is undefined. */
export function present<Thing>(thing: Thing | undefined): Thing {
  assert.ok(thing !== undefined)
  return thing
}
