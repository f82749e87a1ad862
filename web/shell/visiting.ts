// A superadmin's visit to a project that they do not belong to.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { admin, clientOf, identity } from '../data/client.ts'
import { fieldErrors, showFailure } from '../data/failure.ts'
import type { Me } from '../data/project.tsx'
import { t } from '../words/words.ts'

export const projects = `${admin}/projects` as const

export interface VisitProps {
  projectId: number
  me: Me
}

export const meOf = (projectId: number) => [projectId, `${identity}/users/me`]

export function useVisiting({ projectId }: VisitProps) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ reason, mayChange }: { reason: string; mayChange: boolean }) =>
      clientOf().call(`${projects}/open-as-support`, { id: projectId, reason, with_changes: mayChange }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: meOf(projectId) }),
    onError(error) {
      if (fieldErrors(error)['reason'] === undefined) showFailure(t('The project was not opened'), error)
    },
  })
}
