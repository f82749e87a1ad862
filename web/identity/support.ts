// A superadmin's visit to a project that they do not belong to. The service keeps it, for the session.
import type { Me } from '../data/project.tsx'

export type Visit = NonNullable<NonNullable<Me['current_project']>['support_visit']>

/** Whether the person is in the project only as a superadmin. */
export const isSupport = ({ current_project: project }: Me): boolean => project?.role === 'superadmin'

/** Whether the person opened the project as support and has not allowed themselves changes. */
export const isReadingSupport = ({ current_project: project }: Me): boolean =>
  project?.support_visit?.may_change === false

/** The person as the pages of the project see them: without changes, no more than a viewer. */
export const asVisitor = (me: Me): Me => ({
  ...me,
  user: { ...me.user, superadmin: false, superadmin_billing: false },
  current_project: me.current_project && { ...me.current_project, role: 'viewer' },
})
