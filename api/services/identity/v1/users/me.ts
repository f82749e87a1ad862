import { operation } from '#api/operation.ts'
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { currentProject, isInside, projectFailures } from '#identity/caller.ts'
import { type ProfileRow, profileColumns, profileOf } from '#identity/profile.ts'
import { roles } from '#identity/roles.ts'

const membership = record({ project_id: integer(), project_name: text(), role: oneOf(roles) })

export default operation({
  path: '/services/identity/v1/users/me',
  summary: 'The caller, their memberships (200 at most) and the project that the call acts in',
  audience: 'signed in',
  input: {},
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
        /** What a superadmin who is not a member opened the project for (`admin/projects/open-as-support`). */
        support_visit: nullable(record({ reason: text(), may_change: flag(), ends_at: timestamp() })),
      }),
    ),
  }),
  failures: projectFailures,
  alongside: { columns: profileColumns },
  async handle({ caller, alongside, fail }) {
    const belongsSomewhere = caller.requestedProject !== undefined || caller.projectId !== null
    // A superadmin who has moved to another platform, or lacks two-factor authentication, has no membership that would tell which project is theirs.
    const isSuperadmin = caller.superadmin || caller.pendingRights !== null
    const hasMoved = isSuperadmin && caller.requestedProject === undefined && !isInside(caller)
    const currentId = belongsSomewhere && !hasMoved ? currentProject(caller, 'read', fail) : null
    return profileOf(caller, alongside as ProfileRow, currentId)
  },
})
