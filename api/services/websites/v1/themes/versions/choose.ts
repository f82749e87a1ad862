import { operation } from '#api/operation.ts'
import { usualMessages } from '#contract/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { currentProject } from '#identity/caller.ts'
import { may, type Role } from '#identity/roles.ts'
import type { State } from './lifecycle.ts'
import { type OfferedVersion, offeredVersion, readChosen } from './version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/choose',
  summary: 'Let the project use a published version, in place of the one it uses now',
  audience: 'manage themes',
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was chosen.',
  output: record({ version: offeredVersion }),
  failures: [400, 403, 404, 422],
  writes: true,
  async handle({ input: { version_id: id }, caller, db, fail }) {
    const projectId = currentProject(caller, 'manage themes', fail)
    const chosen = await change(db, projectId, async (queries) => {
      const { sql, run } = queries
      // Held, so that the answer is about this choice and not about one that comes at the same moment.
      const [present] = await sql<{ version_id: number }[]>`
        select version_id from theme_choices where project_id = ${projectId} for update`
      const [version] = await run<Candidate>(lockStatement, [id, projectId, caller.id])
      if (!version) throw fail(404, 'There is no theme version with this id.')
      const isKnown = version.published_at !== null || may(caller, version.role, 'read')
      if (!version.is_of_platform || !isKnown) throw fail(403, usualMessages[403])
      if (present?.version_id === id) return readChosen(queries, projectId)
      if (version.theme_status !== 'published') throw fail(400, refusals[version.theme_status])
      const changed = await run(chooseStatement, [projectId, id, caller.id])
      const choice = (await readChosen(queries, projectId)) as OfferedVersion
      if (changed.length > 0) {
        const data = { version_id: id, theme_name: choice.theme_name, version: choice.version }
        const event = { projectId, boardId: null, actorId: caller.id, data }
        await recordEvent(queries, { ...event, kind: 'theme_version.chosen' })
      }
      return choice
    })
    return { version: chosen as OfferedVersion }
  },
})

const refusals = {
  draft: 'This version is not published.',
  deprecated: 'This version is deprecated and cannot be chosen anew.',
}

interface Candidate extends State {
  is_of_platform: boolean
  /** The caller's in the project that owns the theme. */
  role: Role | null
}

/** Shared by all who choose it at this moment; its deprecation waits for them, and they for it. */
const lockStatement = `
  select v.theme_status, v.approval_status, v.published_at, owner.platform_id = mine.platform_id as is_of_platform, m.role
  from theme_versions v
  join projects owner on owner.id = v.project_id and owner.deleted_at is null
  join projects mine on mine.id = $2
  left join memberships m on m.project_id = v.project_id and m.user_id = $3
  where v.id = $1 for share of v`

const chooseStatement = `
  insert into theme_choices as present (project_id, version_id, chosen_by) values ($1, $2, $3)
  on conflict (project_id) do update set version_id = excluded.version_id, chosen_by = excluded.chosen_by, chosen_at = now()
  where present.version_id <> excluded.version_id
  returning version_id`
