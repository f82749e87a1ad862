import { createMaster } from './master.ts'
import type { TestService } from './service.ts'

const operations = '/services/operations/v1/operations'
const masters = '/services/operations/v1/admin'

/** A template whose cards have these checks, rolled out to projects; each project with a member's client. */
export async function createChecks(
  service: TestService,
  checks: readonly { check: string; needs_confirmation?: boolean; status?: 'open' | 'in_progress' }[],
  { projects = 1 } = {},
) {
  const master = await createMaster(service, { projects, cards: 0 })
  const masterIds: number[] = []
  for (const { check, ...more } of checks) {
    const input = { group_id: master.groupIds[0], title: check, evaluation_check: check, ...more }
    masterIds.push((await master.admin.call(`${masters}/master-cards/create`, input)).card.id)
  }
  await master.sync()
  const receivers = await Promise.all(
    master.projects.map(async ({ id }) => {
      const user = await service.addUser({ roles: { [id]: 'member' } })
      return { id, user, client: service.client(user.token) }
    }),
  )
  /** The project's copy of the n-th card. */
  async function copy(projectId: number, number = 0) {
    const [row] = await service.db.sql<{ id: number }[]>`
      select id from cards where project_id = ${projectId} and master_card_id = ${masterIds[number] as number}`
    const { card, evaluation_detail } = await master.admin.call(`${operations}/cards/get`, {
      id: row?.id as number,
    })
    const { status, evaluation_passed, evaluated_by, evaluated_at } = card
    return { id: card.id, status, evaluation_passed, evaluated_by, evaluated_at, evaluation_detail }
  }
  /** How many projects pass and fail, by card. */
  async function counts() {
    const { groups } = await master.whole()
    const cards = groups.flatMap((group) => group.cards)
    return masterIds.map((id) => {
      const found = cards.find((card) => card.id === id)
      return [found?.passed_count, found?.failed_count]
    })
  }
  return { ...master, masterIds, receivers, copy, counts }
}
