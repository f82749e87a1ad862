import { supportName } from './support-name.ts'

/** Members of a project do not read which superadmin helped them: the name of the user as they see it, in SQL. */
export const shownName = (projectId: string, user = 'u') => `case when ${user}.superadmin and not exists (
    select from memberships helped where helped.project_id = ${projectId} and helped.user_id = ${user}.id)
  then '${supportName}' else ${user}.name end`
