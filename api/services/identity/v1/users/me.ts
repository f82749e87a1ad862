import { operation } from '#api/operation.ts'
import { hasOpenStep } from '#boards/card/tour.ts'
import { flag, integer, list, nullable, oneOf, optional, record, text, timestamp } from '#contract/schema.ts'
import { currentProject, isInside, projectFailures } from '#identity/caller.ts'
import { type ProfileRow, profileColumns, profileOf } from '#identity/profile.ts'
import { roles } from '#identity/roles.ts'

const membership = record({ project_id: integer(), project_name: text(), role: oneOf(roles) })

export default operation({
  path: '/services/identity/v1/users/me',
  summary: 'The caller, their memberships (200 at most) and the project that the call acts in',
  audience: 'signed in',
  input: { with_tour: optional(flag()) },
  success: 200,
  message: 'You.',
  output: record({
    user: record({
      id: integer(),
      name: text(),
      email: text(),
      language: nullable(text()),
      /** Such as `Europe/Berlin`; reminders and mails go by it. */
      time_zone: nullable(text()),
      /** The path of the photo on this server; null without one. */
      photo_url: nullable(text()),
      superadmin: flag(),
      superadmin_billing: flag(),
      /** Null for superadmins of all platforms, and for other users. */
      superadmin_platform_id: nullable(integer()),
      enable_ai: flag(),
      second_factor: flag(),
      /** False for people who came by single sign-on and have set none. */
      has_password: flag(),
      /** True for superadmins until they set up two-factor authentication; their rights as superadmins wait for it. */
      second_factor_needed: flag(),
      /** Null without two-factor authentication. */
      recovery_codes_left: nullable(integer()),
      /** Sent after a correct password, from addresses other than the person's own, and not dismissed yet. */
      wrong_codes: nullable(record({ count: integer(), last_at: timestamp(), last_address: text() })),
    }),
    memberships: list(membership),
    current_project: nullable(
      record({
        ...{ id: integer(), name: text(), role: oneOf([...roles, 'superadmin']), tool_keys: list(text()) },
        platform_id: integer(),
        website_url: nullable(text()),
        language: nullable(text()),
        time_zone: nullable(text()),
        /** Since when it can only be read; null for projects that are not archived. */
        archived_at: nullable(timestamp()),
        /** What a superadmin who is not a member opened the project for (`admin/projects/open-as-support`). */
        support_visit: nullable(record({ reason: text(), may_change: flag(), ends_at: timestamp() })),
        /** `opens` for a member who has not closed the tour yet, `none` if no step of it is left to do. Null unless `with_tour` asks for it. */
        tour: nullable(oneOf(['opens', 'closed', 'none'])),
      }),
    ),
  }),
  failures: projectFailures,
  alongside: { columns: `${profileColumns}, m.role is not null and m.tour_seen_at is null as is_new` },
  async handle({ input, caller, alongside, db, fail }) {
    const belongsSomewhere = caller.requestedProject !== undefined || caller.projectId !== null
    // A superadmin who has moved to another platform, or lacks two-factor authentication, has no membership that would tell which project is theirs.
    const isSuperadmin = caller.superadmin || caller.pendingRights !== null
    const hasMoved = isSuperadmin && caller.requestedProject === undefined && !isInside(caller)
    const currentId = belongsSomewhere && !hasMoved ? currentProject(caller, 'read', fail) : null
    const row = alongside as ProfileRow & { is_new: boolean }
    const { current_project: project, ...profile } = profileOf(caller, row, currentId)
    if (project === null) return { ...profile, current_project: null }
    const tour = input.with_tour ? tourOf(row, await hasOpenStep(db, project.id)) : null
    return { ...profile, current_project: { ...project, tour } }
  },
})

const tourOf = ({ is_new }: { is_new: boolean }, hasStep: boolean): 'opens' | 'closed' | 'none' =>
  !hasStep ? 'none' : is_new ? 'opens' : 'closed'
