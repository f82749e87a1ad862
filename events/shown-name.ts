import { supportName } from './support-name.ts'

/** Whether the user is a superadmin who helps the project, in SQL. */
export const isSupport = (projectId: string, user = 'u') => `coalesce(${user}.superadmin and not exists (
    select from memberships helped where helped.project_id = ${projectId} and helped.user_id = ${user}.id), false)`

/** Members of a project do not read which superadmin helped them: the name of the user as they see it, in SQL. */
export const shownName = (projectId: string, user = 'u') => `case when ${isSupport(projectId, user)}
  then '${supportName}' else ${user}.name end`
