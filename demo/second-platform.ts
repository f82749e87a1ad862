// A second, small platform: two projects, a template of its own, and a superadmin who sees nothing of the first.
import type { Database } from '#database/connect.ts'
import { addUser, type NewUser } from '#identity/accounts.ts'
import { createProject } from '#projects/creating.ts'
import { addMember } from '#projects/members.ts'
import { addPlatform } from '#projects/platform.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { createWholeTemplate } from '#templates/template/creating.ts'
import { publishTemplate } from '#templates/version/publishing.ts'
import { secondOwner, secondPlatform, secondPlatformProjects, secondSuperadmin } from './accounts.ts'

const template = {
  title: 'Store opening',
  description: 'What every new store needs before its first customer.',
  icon: 'store',
  groups: [
    {
      title: 'Before the opening',
      type: 'todo',
      color: 'blue',
      icon: 'list',
      cards: [
        { title: 'Sign the lease', short_description: 'With the date from which the store can be furnished' },
        { title: 'Order the signs', priority: 'high' },
        { title: 'Hire the first two people' },
      ],
    },
    {
      title: 'Open',
      type: 'done',
      color: 'green',
      icon: 'check',
      cards: [{ title: 'Invite the neighbors' }],
    },
  ],
} as const

export async function seedSecondPlatform(db: Database, passwordHash: string): Promise<void> {
  const platformId = await addPlatform(db, secondPlatform)
  if (platformId === 'name taken')
    throw new Error(`the database is not empty: it has a platform ${secondPlatform}`)
  const addAccount = async (user: Pick<NewUser, 'email' | 'name'>, rights: Partial<NewUser> = {}) => {
    const { email, name } = user
    const id = await addUser(db, { email, name, passwordHash, isDemo: true, ...rights })
    if (id === 'email taken') throw new Error(`the database is not empty: it has ${email}`)
    return id
  }
  const superadminId = await addAccount(secondSuperadmin, {
    superadmin: true,
    superadminBilling: true,
    superadminPlatformId: platformId,
  })
  const created = await createWholeTemplate(db, usualQuotas, { platformId, actorId: superadminId }, template)
  if (created === 'identifier taken')
    throw new Error('a template card without an identifier has none to share')
  await publishTemplate(db, { id: created.id, actorId: superadminId }, '')
  const projectIds = new Map<string, number>()
  for (const name of secondPlatformProjects)
    projectIds.set(name, await createProject(db, null, { name, toolKeys: [], platformId }))
  const ownersProject = projectIds.get(secondOwner.project) as number
  await addMember(db, ownersProject, await addAccount(secondOwner), secondOwner.role)
  await db.sql`
    update users set default_project_id = ${projectIds.get(secondSuperadmin.project) as number} where id = ${superadminId}`
}
