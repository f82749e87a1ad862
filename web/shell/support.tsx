// What a superadmin sees in a project that they do not belong to: first the question why, then a banner on every page.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Eye, Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { admin, clientOf, identity } from '../data/client.ts'
import { fieldErrors, showFailure } from '../data/failure.ts'
import { type Me, operatorBase } from '../data/project.tsx'
import type { Visit } from '../identity/support.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Field } from '../ui/field.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { Alone } from './alone.tsx'
import './support.css'

const projects = `${admin}/projects` as const

interface Props {
  projectId: number
  me: Me
}

const meOf = (projectId: number) => [projectId, `${identity}/users/me`]

function useVisiting({ projectId }: Props) {
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

function useLeaving({ projectId }: Props) {
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

/** Asks why the project is opened. */
export function OpenAsSupport(props: Props) {
  const { me } = props
  const [reason, setReason] = useState('')
  const visiting = useVisiting(props)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!visiting.isPending) visiting.mutate({ reason: reason.trim(), mayChange: false })
  }
  return (
    <Alone title={t('Open as support')}>
      <form className="support-form" onSubmit={submit}>
        <h2>{t('Open {project} as support', { project: me.current_project?.name ?? '' })}</h2>
        <p>
          {t(
            "You're not a member of this project. You can look around; its owners see in the audit log that you were here, and why.",
          )}
        </p>
        <Field
          label={t('Reason')}
          placeholder={t('Such as a ticket')}
          autoFocus
          required
          maxLength={500}
          value={reason}
          error={fieldErrors(visiting.error)['reason']}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className="support-buttons">
          <ButtonLink href={operatorBase}>{t('Cancel')}</ButtonLink>
          <Button type="submit" look="primary" isBusy={visiting.isPending}>
            {t('Open project')}
          </Button>
        </div>
      </form>
    </Alone>
  )
}

/** On every page of the project, until the visit ends. */
export function SupportBanner(props: Props & { visit: Visit }) {
  const { me, visit } = props
  const [isAsking, setAsking] = useState(false)
  const visiting = useVisiting(props)
  const leaving = useLeaving(props)
  const project = <strong dir="auto">{me.current_project?.name}</strong>
  return (
    <section className="support-banner" aria-label={t('Support')}>
      {visit.may_change ? <Pencil aria-hidden="true" /> : <Eye aria-hidden="true" />}
      <p>
        {visit.may_change
          ? rich('You can change {project} as Cardinal support.', { project })
          : rich("You're looking at {project} as Cardinal support. You can't change anything.", { project })}
      </p>
      {!visit.may_change && <Button onClick={() => setAsking(true)}>{t('Allow changes…')}</Button>}
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
