import { operation } from '#api/operation.ts'
import { integer, record, text } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { toldOf } from './transition.ts'
import { readVersion, type Version, version } from './version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/create',
  summary: 'Create a version of a theme, as a draft',
  audience: 'manage themes',
  input: { theme_id: integer(), version: text({ max: 50 }) },
  success: 201,
  message: 'The theme version was created.',
  output: record({ version }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { theme_id: themeId, version: number }, caller, db, fail }) {
    const question = { db, caller, permission: 'manage themes', kind: 'themes', id: themeId } as const
    const created = await inProjectOf(question, fail, ({ projectId }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const [own] = await sql<{ id: number }[]>`
          insert into projects (platform_id, kind, name)
          select owner.platform_id, 'theme_version', t.name || ' ' || ${number}
          from themes t join projects owner on owner.id = t.project_id
          where t.project_id = ${projectId} and t.id = ${themeId} returning id`
        if (!own) return undefined
        const made = await sql`
          insert into theme_versions (project_id, id, theme_id, version, created_by)
          values (${projectId}, ${own.id}, ${themeId}, ${number}, ${caller.id})
          on conflict (project_id, theme_id, version) do nothing`
        if (made.count === 0) throw fail(422, { version: ['The version has already been taken.'] })
        const draft = (await readVersion(queries, projectId, own.id)) as Version
        const event = { projectId, boardId: null, actorId: caller.id, data: toldOf(draft) }
        await recordEvent(queries, { ...event, kind: 'theme_version.created' })
        return draft
      }),
    )
    return { version: created }
  },
})
