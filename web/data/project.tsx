import { createContext, type ReactNode, use, useMemo } from 'react'
import type { Client } from '#contract/client.ts'
import { t } from '../words/words.ts'
import { clientOf, type identity, type Operations, type Output } from './client.ts'

/** The signed-in user. */
export type Me = Output<`${typeof identity}/users/me`>

interface Project {
  /** 0 where none is open, as in the operator's area. */
  id: number
  /** The path prefix of its pages. */
  base: string
  /** True in the operator's area, which is about all projects and inside none. */
  isOperator: boolean
  me: Me
  client: Client<Operations>
  isConnected: boolean
}

const ProjectContext = createContext<Project | undefined>(undefined)

export function ProjectProvider(props: { id: number; me: Me; isConnected: boolean; children: ReactNode }) {
  const { id, me, isConnected, children } = props
  const project = useMemo(
    () => ({ id, base: `/p/${id}`, isOperator: false, me, isConnected, client: clientOf(id) }),
    [id, me, isConnected],
  )
  return <ProjectContext value={project}>{children}</ProjectContext>
}

/** The path prefix of the operator's pages. */
export const operatorBase = '/operator'

/** Pages of the operator's area read and write like those of a project, without naming one. */
export function OperatorProvider(props: { me: Me; isConnected: boolean; children: ReactNode }) {
  const { me, isConnected, children } = props
  const area = useMemo(
    () => ({
      id: 0,
      base: operatorBase,
      isOperator: true,
      me: { ...me, current_project: null },
      isConnected,
      client: clientOf(),
    }),
    [me, isConnected],
  )
  return <ProjectContext value={area}>{children}</ProjectContext>
}

/** The account of somebody in no project is read and changed like a page of a project, without naming one. */
export function NoProjectProvider({ me, children }: { me: Me; children: ReactNode }) {
  const none = useMemo(
    () => ({ id: 0, base: '', isOperator: false, me, isConnected: true, client: clientOf() }),
    [me],
  )
  return <ProjectContext value={none}>{children}</ProjectContext>
}

/** The project in the address, or the operator's area, and the signed-in user. */
export function useProject(): Project {
  const project = use(ProjectContext)
  if (!project) throw new Error('This component belongs inside a page of a project or of the operator.')
  return project
}

/** Why nothing can be changed while offline; undefined while connected. */
export function useLostConnection(): string | undefined {
  const { isConnected } = useProject()
  return isConnected ? undefined : t("You're offline. Editing resumes when you reconnect.")
}
