import { createContext, type ReactNode, use, useMemo } from 'react'
import type { Client } from '#contract/client.ts'
import type { Permission, Role } from '#identity/roles.ts'
import { clientOf, type Operations } from './client.ts'
import type { Me } from './types.ts'

interface Project {
  id: number
  /** Where its pages begin. */
  base: string
  me: Me
  client: Client<Operations>
  isConnected: boolean
}

const ProjectContext = createContext<Project | undefined>(undefined)

export function ProjectProvider(props: { id: number; me: Me; isConnected: boolean; children: ReactNode }) {
  const { id, me, isConnected, children } = props
  const project = useMemo(
    () => ({ id, base: `/p/${id}`, me, isConnected, client: clientOf(id) }),
    [id, me, isConnected],
  )
  return <ProjectContext value={project}>{children}</ProjectContext>
}

/** The project that the address names, and who is looking at it. */
export function useProject(): Project {
  const project = use(ProjectContext)
  if (!project) throw new Error('This component belongs inside a project page.')
  return project
}

export const isSuperadmin = (me: Me): boolean => me.user.superadmin

const ladder: readonly string[] = ['viewer', 'member', 'admin', 'owner']

const least: Partial<Record<Permission, Role>> = {
  read: 'viewer',
  work: 'member',
  'delete any card': 'admin',
  manage: 'admin',
  'manage themes': 'admin',
  upgrade: 'owner',
}

const needed: Partial<Record<Permission, string>> = {
  work: 'You can read this project, not change it.',
  manage: 'Only admins and owners can do this.',
  'manage themes': 'Only admins and owners can change themes.',
  upgrade: 'Only the owner of the project can do this.',
  'delete any card': 'Members delete only the cards that they have made.',
}

/** Why the person cannot do it now, or undefined where they can. */
export function useRefusal(permission: Permission): string | undefined {
  const { me } = useProject()
  const lost = useLostConnection()
  const isAbove = isSuperadmin(me) && (permission !== 'upgrade' || me.user.superadmin_billing)
  const step = ladder.indexOf(me.current_project?.role ?? '')
  if (!isAbove && step < ladder.indexOf(least[permission] ?? 'owner'))
    return needed[permission] ?? 'Your role does not allow this.'
  return lost
}

/** Why nobody can change anything now, whatever their role; undefined where the service can be heard. */
export function useLostConnection(): string | undefined {
  const { isConnected } = useProject()
  return isConnected ? undefined : 'The connection is lost; changes are possible once it is back.'
}
