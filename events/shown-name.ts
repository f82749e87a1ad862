import { supportName } from './support-name.ts'

/** The id in place of that of a superadmin who helps the project, which only they themselves read. */
export const supportId = 0

/** They are in an index of their own. */
const isOrWasSuperadmin = (user: string) => `(${user}.superadmin or ${user}.was_superadmin)`

/** Whether the user is or was a superadmin who helps the project, in SQL. */
export const isSupport = (
  projectId: string,
  user = 'u',
) => `coalesce(${isOrWasSuperadmin(user)} and not exists (
    select from memberships helped where helped.project_id = ${projectId} and helped.user_id = ${user}.id), false)`

/** The same for the id of a user; PostgreSQL reads the superadmins once for all rows of a statement. */
const isSupportId = (projectId: string, id: string) => `${id} in (
    select helper.id from users helper where ${isOrWasSuperadmin('helper')}) and (
    select helped.user_id from memberships helped where helped.project_id = ${projectId} and helped.user_id = ${id}) is null`

/** The id of who made something, as everybody in the project sees it, in SQL. */
export const shownAuthor = (projectId: string, id: string) =>
  `case when ${isSupportId(projectId, id)} then ${supportId} else ${id} end`

/** Members of a project do not read which superadmin helped them: the name of the user as they see it, in SQL. */
export const shownName = (projectId: string, user = 'u') => `case when ${isSupport(projectId, user)}
  then '${supportName}' else ${user}.name end`

/** The id of the user as the reader sees it, in SQL. */
export const shownId = (projectId: string, reader: string, user = 'u') =>
  `case when ${user}.id <> ${reader} and ${isSupport(projectId, user)} then ${supportId} else ${user}.id end`

/** Members of a project do not read who started a rollout, nor which superadmin helped them. `e` is the event, `u` who did it. */
export const isNamed = `not e.data ? 'rollout_id'`
/** The data of an event without the ids of superadmins who helped the project. */
export const withoutSupportIds = (data: string, projectId = 'e.project_id') => `${data} || (
    select coalesce(jsonb_object_agg(author.key, ${supportId}), '{}')
    from unnest(array['created_by', 'evaluated_by', 'invited_by']) author (key)
    where ${isSupportId(projectId, `(${data} ->> author.key)::bigint`)})`
export const shownActorId = `case when ${isNamed} and not ${isSupport('e.project_id')} then e.actor_id end`
