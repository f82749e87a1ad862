import { recountCoverage } from '#coverage/counts.ts'
import { type Database, insideTransaction } from '#database/connect.ts'
import { countProjects } from '#fleet/counting.ts'
import { addRecoveryCodes, addUser } from '#identity/accounts.ts'
import { startPasswords } from '#identity/passwords.ts'
import { roleMay } from '#identity/roles.ts'
import { addProject } from '#projects/creating.ts'
import { addMember } from '#projects/members.ts'
import { receiveMasters } from '#rollouts/new-project.ts'
import { demoPassword, demoProjects, firstPlatformAccounts } from './accounts.ts'
import { seedAudiences } from './audiences.ts'
import { type DemoMember, seedBoards } from './boards.ts'
import { seedChecks } from './checks.ts'
import { seedConversation } from './conversation.ts'
import { seedFleet } from './fleet.ts'
import { seedInboxes } from './inbox.ts'
import { seedInvitation } from './invitations.ts'
import { seedMasters } from './masters.ts'
import { seedRollout } from './rollouts.ts'
import { seedSecondPlatform } from './second-platform.ts'
import { seedSubscriptions } from './subscriptions.ts'
import { seedThemes } from './themes.ts'

/** Adds all demo data in one transaction, so an interrupted start leaves none. A small demo has no fleet, for tests that copy all of it. */
export async function seedDemo(db: Database, { isSmall = false } = {}): Promise<void> {
  const passwords = startPasswords()
  const passwordHash = await passwords.hash(demoPassword)
  await passwords.close()
  await db.transaction(async (queries) => {
    const projectIds = new Map<string, number>()
    for (const { name, toolKeys } of demoProjects)
      projectIds.set(name, await addProject(queries, name, [...toolKeys]))
    const members = new Map<string, DemoMember[]>()
    let superadminId = 0
    for (const account of firstPlatformAccounts) {
      const { email, name, superadmin = false, language = null, totpSecret } = account
      const projectId = projectIds.get(account.project) as number
      const userId = await addUser(queries, {
        email,
        name,
        passwordHash,
        isDemo: true,
        superadmin,
        superadminBilling: superadmin,
        enableAi: superadmin,
        language,
        ...(totpSecret && { totpSecret }),
      })
      if (userId === 'email taken') throw new Error(`the database is not empty: it has ${email}`)
      await addRecoveryCodes(queries, userId, account.recoveryCodes ?? [])
      if (superadmin) superadminId = userId
      if (account.role) {
        await addMember(queries, projectId, userId, account.role)
        if (roleMay(account.role, 'work'))
          members.set(account.project, [...(members.get(account.project) ?? []), { id: userId, email }])
      } else await queries.sql`update users set default_project_id = ${projectId} where id = ${userId}`
    }
    for (const [name, projectId] of projectIds)
      await seedBoards(queries, name, projectId, members.get(name) ?? [])
    await seedMasters(insideTransaction(db, queries), superadminId)
    for (const projectId of projectIds.values()) await receiveMasters(queries, projectId)
    await seedRollout(insideTransaction(db, queries), superadminId)
    await seedThemes(queries, projectIds)
    await seedInvitation(queries, projectIds.get('Acme') as number)
    await seedSubscriptions(queries, projectIds)
    await seedChecks(insideTransaction(db, queries), projectIds, members)
    const ofAcme = (role: string) =>
      members.get('Acme')?.find(({ email }) => email === `${role}@acme.test`)?.id as number
    const people = { owner: ofAcme('owner'), admin: ofAcme('admin'), member: ofAcme('member') }
    await seedConversation(queries, projectIds.get('Acme') as number, people)
    await seedSecondPlatform(insideTransaction(db, queries), passwordHash)
    // They have read, written and paid for long, so they joined before, and their projects are older.
    await queries.sql`update projects set created_at = now() - interval '1 year'`
    await queries.sql`update memberships set created_at = now() - interval '90 days'`
    await seedInboxes(insideTransaction(db, queries))
    await seedAudiences(queries, superadminId)
    if (!isSmall) await seedFleet(db, queries, { passwordHash, actorId: superadminId })
    const projects = await queries.sql<
      { id: number }[]
    >`select id from projects where kind = 'customer' order by id`
    await countProjects(
      queries,
      projects.map(({ id }) => id),
    )
    await recountCoverage(queries)
  })
}
