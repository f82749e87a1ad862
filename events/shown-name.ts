import { supportName } from './support-name.ts'

/** Whether the user is or was a superadmin who helps the project, in SQL. */
export const isSupport = (
  projectId: string,
  user = 'u',
) => `coalesce((${user}.superadmin or ${user}.was_superadmin) and not exists (
    select from memberships helped where helped.project_id = ${projectId} and helped.user_id = ${user}.id), false)`

/** Members of a project do not read which superadmin helped them: the name of the user as they see it, in SQL. */
export const shownName = (projectId: string, user = 'u') => `case when ${isSupport(projectId, user)}
  then '${supportName}' else ${user}.name end`

/** The id in place of that of a superadmin who helps the project, which only they themselves read. */
export const supportId = 0

/** The id of the user as the reader sees it, in SQL. */
export const shownId = (projectId: string, reader: string, user = 'u') =>
  `case when ${user}.id <> ${reader} and ${isSupport(projectId, user)} then ${supportId} else ${user}.id end`

/** Members of a project do not read who started a rollout, nor which superadmin helped them. `e` is the event, `u` who did it. */
export const isNamed = `not e.data ? 'rollout_id'`
/** `data` without the id of a superadmin who made something. */
export const withoutSupportId = (data: string) =>
  `case when ${isSupport('e.project_id')} then ${data} - 'created_by' else ${data} end`
export const shownActorId = `case when ${isNamed} and not ${isSupport('e.project_id')} then e.actor_id end`
