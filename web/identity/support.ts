// A superadmin's visit to a project that they do not belong to. It is remembered in this browser for some hours; the service has recorded it.
import { readOwn, writeOwn } from '../data/own-storage.ts'
import type { Me } from '../data/project.tsx'

export interface Visit {
  reason: string
  /** For reading otherwise. */
  mayChange: boolean
  until: number
}

const visitHours = 8

const nameOf = (projectId: number) => `support visit of project ${projectId}`

/** Whether the person is in the project only as a superadmin. */
export const isSupport = ({ current_project: project }: Me): boolean => project?.role === 'superadmin'

export function readVisit(userId: number, projectId: number): Visit | undefined {
  const kept = readOwn(userId, nameOf(projectId)) as Partial<Visit> | undefined
  const isOpen = typeof kept?.reason === 'string' && typeof kept.until === 'number' && kept.until > Date.now()
  return isOpen ? (kept as Visit) : undefined
}

export function keepVisit(userId: number, projectId: number, visit: Omit<Visit, 'until'> | undefined) {
  const until = Date.now() + visitHours * 3_600_000
  writeOwn(userId, nameOf(projectId), visit ? { ...visit, until } : null)
}

/** The person as the pages of the project see them: without changes, no more than a viewer. */
export const asVisitor = (me: Me): Me => ({
  ...me,
  user: { ...me.user, superadmin: false, superadmin_billing: false },
  current_project: me.current_project && { ...me.current_project, role: 'viewer' },
})
