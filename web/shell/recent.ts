import { readOwn, writeOwn } from '../data/own-storage.ts'

/** Something that was chosen in the command menu. */
export interface Recent {
  id: string
  label: string
  detail?: string | undefined
  /** Its address. */
  to: string
}

const most = 5

const nameOf = (projectId: number) => `recent commands of project ${projectId}`

const isRecent = (value: Partial<Recent> | null): value is Recent =>
  typeof value?.id === 'string' && typeof value.label === 'string' && typeof value.to === 'string'

/** What the person chose last in the command menu of a project, the latest first. */
export function readRecent(userId: number, projectId: number): Recent[] {
  const kept = readOwn(userId, nameOf(projectId))
  return Array.isArray(kept) ? kept.filter(isRecent) : []
}

export function keepRecent(userId: number, projectId: number, chosen: Recent) {
  const others = readRecent(userId, projectId).filter(({ id }) => id !== chosen.id)
  writeOwn(userId, nameOf(projectId), [chosen, ...others].slice(0, most))
}
