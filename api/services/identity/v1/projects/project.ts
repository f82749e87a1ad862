import { integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { addMember, addProject } from '#identity/accounts.ts'
import { roles } from '#identity/roles.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { receiveMasters } from '#templates/new-project.ts'

/** A project as its members see it in a list. */
export const project = record({ id: integer(), name: text(), role: nullable(oneOf(roles)) })

/** A new project with the templates that every project has, and its first owner. */
export async function addOwnedProject(queries: Queries, name: string, owner: string, quotas: Quotas) {
  const id = await addProject(queries, name, [])
  await receiveMasters(queries, id, quotas)
  await addMember(queries, id, owner, 'owner', quotas)
  return id
}
