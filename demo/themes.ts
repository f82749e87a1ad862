import type { Queries } from '#database/connect.ts'

interface DemoVersion {
  version: string
  approval: 'pending' | 'approved' | 'rejected'
  reason?: string
  submittedDaysAgo: number
}

interface DemoTheme {
  name: string
  project: string
  versions: readonly DemoVersion[]
}

const demoThemes: readonly DemoTheme[] = [
  {
    name: 'Aurora',
    project: 'Acme',
    versions: [
      {
        version: '0.9',
        approval: 'rejected',
        reason: 'The gray text on the light background is too faint to read.',
        submittedDaysAgo: 60,
      },
      { version: '1.0', approval: 'approved', submittedDaysAgo: 45 },
      { version: '2.0', approval: 'pending', submittedDaysAgo: 2 },
    ],
  },
  {
    name: 'Borealis',
    project: 'Blue',
    versions: [
      { version: '1.0', approval: 'approved', submittedDaysAgo: 30 },
      { version: '1.1', approval: 'pending', submittedDaysAgo: 1 },
    ],
  },
]

/** Which project uses which version. */
const demoChoices = [
  { project: 'Acme', theme: 'Aurora', version: '1.0' },
  { project: 'Cedar', theme: 'Aurora', version: '1.0' },
] as const

/** Themes in every stage of their review, and projects that use one. */
export async function seedThemes(queries: Queries, projectIds: ReadonlyMap<string, number>) {
  const { sql } = queries
  for (const { name, project, versions } of demoThemes) {
    const projectId = projectIds.get(project) as number
    const [theme] = await sql<{ id: number }[]>`
      insert into themes (project_id, platform_id, name, created_by, created_at)
      select m.project_id, p.platform_id, ${name}, m.user_id, now() - interval '70 days'
      from memberships m join projects p on p.id = m.project_id
      where m.project_id = ${projectId} and m.role = 'owner' returning id`
    for (const version of versions)
      await seedVersion(queries, version, { projectId, themeId: theme?.id as number, name })
  }
  for (const { project, theme, version } of demoChoices)
    await sql`
      insert into theme_choices (project_id, version_id, chosen_by, chosen_at)
      select m.project_id, v.id, m.user_id, v.published_at + interval '1 day'
      from themes t join theme_versions v on v.project_id = t.project_id and v.theme_id = t.id
      join memberships m on m.project_id = ${projectIds.get(project) as number} and m.role = 'owner'
      where t.name = ${theme} and v.version = ${version}`
}

/** Returns the id of the version. */
export async function seedVersion(
  { sql }: Queries,
  { version, approval, reason, submittedDaysAgo: days }: DemoVersion,
  { projectId, themeId, name }: { projectId: number; themeId: number; name: string },
): Promise<number> {
  const ago = (part: number) => sql`now() - ${days * part}::float8 * interval '1 day'`
  const [own] = await sql<{ id: number }[]>`
    insert into projects (platform_id, kind, name, created_at)
    select platform_id, 'theme_version', ${`${name} ${version}`}, ${ago(1.1)} from projects where id = ${projectId}
    returning id`
  await sql`
    insert into theme_versions (project_id, platform_id, id, theme_id, version, theme_status, approval_status, rejection_reason,
      submitted_at, reviewed_by, reviewed_at, published_at, created_by, created_at, updated_at)
    select t.project_id, t.platform_id, ${own?.id as number}, t.id, ${version},
      ${approval === 'approved' ? 'published' : 'draft'}, ${approval}, ${reason ?? null}, ${ago(1)},
      case when ${approval !== 'pending'} then (select min(id) from users where superadmin) end,
      case when ${approval !== 'pending'} then ${ago(0.9)} end,
      case when ${approval === 'approved'} then ${ago(0.5)} end, t.created_by, ${ago(1.1)}, ${ago(0.5)}
    from themes t where t.project_id = ${projectId} and t.id = ${themeId}`
  return own?.id as number
}
