import type { Role } from '#identity/roles.ts'
import type { TestService, TestUser } from './service.ts'

const themes = '/services/websites/v1/themes'

export type Stage = 'draft' | 'pending' | 'rejected' | 'approved' | 'published' | 'deprecated'

/** The calls that bring a new version to a stage. */
const ways = {
  draft: [],
  pending: ['submit'],
  rejected: ['submit', 'reject'],
  approved: ['submit', 'approve'],
  published: ['submit', 'approve', 'publish'],
  deprecated: ['submit', 'approve', 'publish', 'deprecate'],
} as const satisfies Record<Stage, readonly string[]>

/** A project with one user of each role and a theme, and a superadmin who reviews. */
export async function createTheme(service: TestService, name = 'Aurora', platformId?: number) {
  const projectId = await service.addProject('Project', [], platformId)
  const members = {} as Record<Role, TestUser>
  for (const role of ['viewer', 'member', 'admin', 'owner'] as const)
    members[role] = await service.addUser({ roles: { [projectId]: role } })
  const reviewer = await service.addUser({ superadmin: true })
  const admin = service.client(members.admin.token)
  const superadmin = service.client(reviewer.token)
  const { theme } = await admin.call(`${themes}/create`, { name })
  let versions = 0

  /** Creates a version and moves it to the stage. */
  async function addVersion(stage: Stage = 'draft', version = `${++versions}.0`): Promise<number> {
    const created = await admin.call(`${themes}/versions/create`, { theme_id: theme.id, version })
    const { version_id } = created.version
    for (const action of ways[stage])
      await superadmin.call(`${themes}/versions/${action}`, { version_id, reason: 'Too dark.' })
    return version_id
  }

  return { projectId, members, reviewer, admin, superadmin, themeId: theme.id, addVersion }
}

/** Everything stored about a version, with the events of its project. */
export async function recordOf({ db: { sql } }: TestService, versionId: number): Promise<object[]> {
  return [
    ...(await sql`select * from theme_versions where id = ${versionId}`),
    ...(await sql`
      select e.* from events e join theme_versions v on v.project_id = e.project_id where v.id = ${versionId} order by e.id`),
  ]
}
