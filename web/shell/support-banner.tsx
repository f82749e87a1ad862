import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eye, Pencil } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { clientOf } from '../data/client.ts'
import { showFailure } from '../data/failure.ts'
import { operatorBase } from '../data/project.tsx'
import { isArchived } from '../identity/permissions.ts'
import type { Visit } from '../identity/support.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { meOf, projects, useVisiting, type VisitProps } from './visiting.ts'
import './support-banner.css'

function useLeaving({ projectId }: VisitProps) {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  return useMutation({
    mutationFn: () => clientOf().call(`${projects}/leave-support`, { id: projectId }),
    onSuccess() {
      navigate(`${operatorBase}/projects/${projectId}`)
      queryClient.removeQueries({ queryKey: meOf(projectId) })
    },
    onError: (error) => showFailure(t('You are still in the project'), error),
  })
}

/** On every page of the project, until the visit ends. */
export default function SupportBanner(props: VisitProps & { visit: Visit }) {
  const { me, visit } = props
  const [isAsking, setAsking] = useState(false)
  const visiting = useVisiting(props)
  const leaving = useLeaving(props)
  const mayChange = visit.may_change && !isArchived(me)
  const project = <strong dir="auto">{me.current_project?.name}</strong>
  return (
    <section className="support-banner" aria-label={t('Support')}>
      {mayChange ? <Pencil aria-hidden="true" /> : <Eye aria-hidden="true" />}
      <p>
        {mayChange
          ? rich('You can change {project} as Cardinal support.', { project })
          : rich("You're looking at {project} as Cardinal support. You can't change anything.", { project })}
      </p>
      {!visit.may_change && !isArchived(me) && (
        <Button onClick={() => setAsking(true)}>{t('Allow changes…')}</Button>
      )}
      <Button isBusy={leaving.isPending} onClick={() => leaving.mutate()}>
        {t('Leave project')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('Allow changes')}
          action={t('Allow changes')}
          onClose={() => setAsking(false)}
          onConfirm={() => visiting.mutate({ reason: visit.reason, mayChange: true })}
        >
          <p>
            {t('The project shows what you change as done by Cardinal support. The audit log has your name.')}
          </p>
        </Confirm>
      )}
    </section>
  )
}
