// What the effect checks share: a service, calls by plain HTTP at v1, and boards and templates to try things on.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { addPlatform } from '#projects/platform.ts'
import { createBoard } from '../../board.ts'
import { createMaster, type Receiver } from '../../master.ts'
import { post } from '../../post.ts'
import { startTestService } from '../../service.ts'

/** For each field what it does, and a check that it does. */
export type Effects = Record<string, [effect: string, check: () => Promise<unknown>]>

export const service = await startTestService()

const pathOf = (action: string) => {
  if (action.startsWith('/')) return action
  const area = action.startsWith('admin/') ? '/services/operations/v1' : '/services/operations/v1/operations'
  return `${area}/${action}`
}

interface Person {
  token: string
}

/** The answer, whatever its status. */
export const attempt = (person: Person, action: string, input: object = {}, headers = {}) =>
  post<unknown>(service, pathOf(action), person.token, input, headers)

export const statusOf = async (person: Person, action: string, input?: object, headers?: object) =>
  (await attempt(person, action, input, headers)).status

/** `data` of a success; boards and groups that the contract types as strings are parsed. */
// biome-ignore lint/suspicious/noExplicitAny: it is what the wire holds, and the walk has checked its types.
export async function call(person: Person, action: string, input?: object, headers?: object): Promise<any> {
  const { status, body, text } = await attempt(person, action, input, headers)
  assert.ok(status === 200 || status === 201, `${action}: ${status} ${text}`)
  const data = body.data as Record<string, unknown>
  for (const key of ['board', 'group']) {
    const value = data[key]
    if (typeof value === 'string') data[key] = JSON.parse(value)
  }
  return data
}

/** Somebody who works in another project. */
const stranger = (await createBoard(service)).members.owner

/** A board of three groups in a project with a person of each role. */
export async function scene() {
  const { projectId, boardId, members, groupIds } = await createBoard(service)
  const { member, admin, owner, viewer } = members
  const [groupId, secondGroupId] = groupIds as [number, number, number]
  const shown = async () => (await call(viewer, 'boards/get', { id: boardId })).board
  return {
    ...{ projectId, boardId, member, admin, owner, viewer, groupId, secondGroupId, shown },
    addCard: async (input: object = {}) =>
      (await call(member, 'cards/create', { title: 'Card', group_id: groupId, ...input })).card,
    changeCard: async (id: number, fields: object) =>
      (await call(member, 'cards/update', { id, ...fields })).card,
    readCard: async (id: number) => (await call(viewer, 'cards/get', { id })).card,
    addTag: async (input: object = {}) => (await call(member, 'tags/create', { name: 'Tag', ...input })).tag,
    addComment: async (card_id: number, input: object = {}) =>
      (await call(member, 'comments/create', { card_id, comment: 'Text', ...input })).comment,
    /** The group as the board shows it. */
    shownGroup: async (id: number) => (await shown()).groups.find((group: { id: number }) => group.id === id),
    /** The ids of the cards that a search finds. */
    search: async (input: object, person: Person = member): Promise<number[]> =>
      (await call(person, 'cards/search', input)).cards.map((card: { id: number }) => card.id),
    stranger,
  }
}

/** A template with one card, rolled out to one project. */
export async function template(card: object = {}) {
  const master = await createMaster(service, { cards: 0 })
  const { superadmin, boardId, groupIds, sync } = master
  const [project] = master.projects as [Receiver]
  const addCard = async (fields: object = {}) =>
    (
      await call(superadmin, 'admin/master-cards/create', {
        group_id: groupIds[0],
        title: 'Template card',
        ...fields,
      })
    ).card
  const made = await addCard(card)
  await sync()
  const shown = async () => {
    const { boards } = await call(project.user, 'boards/list')
    const found = boards.find((board: { master_board_id: number }) => board.master_board_id === boardId)
    return (await call(project.user, 'boards/get', { id: found.id })).board
  }
  return {
    ...{ superadmin, boardId, groupIds, sync, addCard, card: made, shown },
    projectId: project.id,
    admin: project.user,
    change: (fields: object) => call(superadmin, 'admin/master-cards/update', { id: made.id, ...fields }),
    changeGroup: (fields: object) =>
      call(superadmin, 'admin/master-groups/update', { id: groupIds[0], ...fields }),
    /** The project's copies. */
    copies: async () => (await shown()).groups[0].cards,
    copy: async () => (await shown()).groups[0].cards[0],
    groupCopy: async () => (await shown()).groups[0],
  }
}

/** What each thing that can be deleted does with its three times. */
export function times(
  begin: () => Promise<{
    read(): Promise<{ created_at: string; updated_at: string; deleted_at: string | null } | undefined>
    change(title: string): Promise<unknown>
    remove(): Promise<unknown>
    restore?(): Promise<unknown>
  }>,
): Effects {
  const present = <Thing>(thing: Thing | undefined) => {
    assert.ok(thing)
    return thing
  }
  return {
    created_at: [
      'is when it was created, and no change moves it',
      async () => {
        const before = Date.now()
        const { read, change } = await begin()
        const { created_at } = present(await read())
        assert.ok(Date.parse(created_at) >= before && Date.parse(created_at) <= Date.now(), created_at)
        await change('Changed')
        assert.equal(present(await read()).created_at, created_at)
      },
    ],
    updated_at: [
      'moves with a change, and not if a field is set to the value it has',
      async () => {
        const { read, change } = await begin()
        const first = present(await read()).updated_at
        await delay(2)
        await change('Changed')
        const second = present(await read()).updated_at
        assert.ok(second > first)
        await delay(2)
        await change('Changed')
        assert.equal(present(await read()).updated_at, second)
      },
    ],
    deleted_at: [
      'is null as long as the thing exists; a deleted one is gone, and back if it is restored',
      async () => {
        const { read, remove, restore } = await begin()
        assert.equal(present(await read()).deleted_at, null)
        await remove()
        assert.equal(await read(), undefined)
        await restore?.()
        assert.equal((await read())?.deleted_at, restore ? null : undefined)
      },
    ],
  }
}

/** A superadmin of the platform, and one of another. */
export async function superadminsOf(platformId: number) {
  const other = (await addPlatform(service.db, `Other ${randomUUID()}`)) as number
  return Promise.all([
    service.addUser({ superadmin: true, platformId }),
    service.addUser({ superadmin: true, platformId: other }),
  ])
}

export async function platformOf(projectId: number): Promise<number> {
  const [row] = await service.db.sql<{ platform_id: number }[]>`
    select platform_id from projects where id = ${projectId}`
  return row?.platform_id as number
}
