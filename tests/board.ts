import type { Role } from '#identity/roles.ts'
import type { TestService, TestUser } from './service.ts'

const operations = '/services/operations/v1/operations'

/** A project with one user of each role, and a board of three groups with the given number of cards in the first. */
export async function createBoard(service: TestService, { cards = 0 } = {}) {
  const projectId = await service.addProject()
  const members = {} as Record<Role, TestUser>
  for (const role of ['viewer', 'member', 'admin', 'owner'] as const)
    members[role] = await service.addUser({ roles: { [projectId]: role } })
  const admin = service.client(members.admin.token)
  const member = service.client(members.member.token)
  const { board } = await admin.call(`${operations}/boards/create`, { title: 'Board' })
  const groupIds: number[] = []
  for (const title of ['To do', 'Doing', 'Done']) {
    const { group } = await admin.call(`${operations}/groups/create`, { board_id: board.id, title })
    groupIds.push(group.id)
  }
  const cardIds: number[] = []
  for (let number = 1; number <= cards; number++) {
    const { card } = await member.call(`${operations}/cards/create`, {
      title: `Card ${number}`,
      group_id: groupIds[0] as number,
    })
    cardIds.push(card.id)
  }
  return { projectId, members, admin, member, boardId: board.id, groupIds, cardIds }
}

/** A board as it is sent, with the number of its bytes. */
export async function fetchBoard(service: TestService, token: string, id: number, version: 'v1' | 'v2') {
  const response = await service.fetch(`${operations}/boards/get`.replace('/v1/', `/${version}/`), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id }),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { response, length: bytes.length, data: JSON.parse(bytes.toString()).data }
}
