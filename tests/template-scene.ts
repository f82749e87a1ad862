import type { TestContext } from 'node:test'
import { firstPlatform } from '#projects/platform.ts'
import { service } from './browser.ts'

const admin = '/services/operations/v1/admin'

let tools = 0

/** A template of two groups and three cards, a superadmin, and projects that have its tool; nothing is rolled out yet. */
export async function createTemplateScene({ projects = 3 } = {}) {
  const tool = `tool-${++tools}`
  const user = await service.addUser({ superadmin: true })
  const superadmin = service.client(user.token)
  const projectIds: number[] = []
  for (let number = 1; number <= projects; number++)
    projectIds.push(await service.addProject(`Project ${tool} ${number}`, [tool]))
  const { board } = await superadmin.call(`${admin}/master-boards/create`, {
    title: 'Launch',
    tool_key: tool,
    platform_id: await firstPlatform(service.db),
  })
  const groupIds: number[] = []
  for (const title of ['Before', 'After']) {
    const { group } = await superadmin.call(`${admin}/master-groups/create`, { board_id: board.id, title })
    groupIds.push(group.id)
  }
  const cardIds: number[] = []
  for (const title of ['Card 1', 'Card 2', 'Card 3']) {
    const { card } = await superadmin.call(`${admin}/master-cards/create`, {
      group_id: groupIds[0] as number,
      title,
    })
    cardIds.push(card.id)
  }
  const here = `/p/${projectIds[0]}`
  return {
    tool,
    user,
    superadmin,
    projectIds,
    boardId: board.id,
    groupIds,
    cardIds,
    here,
    path: `/operator/templates/${board.id}`,
    /** The stored template: titles of cards by group. */
    async stored() {
      const { board: whole } = await superadmin.call(`${admin}/master-boards/get`, { id: board.id })
      return Object.fromEntries(
        whole.groups.map(({ title, cards }) => [title, cards.map((card) => card.title)]),
      )
    },
  }
}

/** Locks a project until it is released, as a long transaction would. */
export async function holdProject(t: TestContext, projectId: number) {
  const { promise: untilRelease, resolve: release } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const ended = service.db.transaction(async ({ sql }) => {
    await sql`select lock_project(${projectId})`
    held()
    await untilRelease
  })
  await isHeld
  const letGo = async () => {
    release()
    await ended
  }
  t.after(letGo)
  return letGo
}

/** A rollout that another instance works on until the test ends, with one project done. */
export async function addRunningRollout(
  t: TestContext,
  scene: Pick<Scene, 'boardId' | 'user' | 'projectIds'>,
): Promise<number> {
  const { sql } = service.db
  await service.client(scene.user.token).attempt(`${admin}/master-boards/publish`, { id: scene.boardId })
  const [rollout] = await sql<{ id: number }[]>`
    insert into rollouts (kind, platform_id, board_id, revision, title, template_title, created_by, worked_at)
    select 'board', platform_id, id, newest_revision, title, title, ${scene.user.id}, now() + interval '2 seconds' from master_boards where id = ${scene.boardId}
    returning id`
  const id = rollout?.id as number
  for (const [index, projectId] of scene.projectIds.entries())
    await sql`
      insert into rollout_batches (rollout_id, number, project_ids, done_at)
      values (${id}, ${index + 1}, array[${projectId}::bigint], case when ${index === 0} then now() end)`
  // Without news for some seconds the instance would be taken for dead. It writes the time that its own clock shows, two seconds ahead.
  let news: PromiseLike<unknown> = Promise.resolve()
  const working = setInterval(() => {
    news = sql`
      update rollouts set worked_at = now() + interval '2 seconds' where id = ${id} and finished_at is null`.then()
  }, 300)
  t.after(async () => {
    clearInterval(working)
    await news
  })
  return id
}

type Scene = Awaited<ReturnType<typeof createTemplateScene>>
