// What a superadmin sees in a project that they do not belong to: first the question why, then a banner on every page.
import { useMutation } from '@tanstack/react-query'
import { Eye, Pencil } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { admin, clientOf } from '../data/client.ts'
import { fieldErrors, showFailure } from '../data/failure.ts'
import { type Me, operatorBase } from '../data/project.tsx'
import { keepVisit, type Visit } from '../identity/support.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Field } from '../ui/field.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { Alone } from './alone.tsx'
import './support.css'

const path = `${admin}/projects/open-as-support` as const

interface Props {
  projectId: number
  me: Me
  onChange(visit: Visit | undefined): void
}

/** Records the visit and remembers it. */
function useVisiting({ projectId, me, onChange }: Props) {
  return useMutation({
    mutationFn: ({ reason, mayChange }: Pick<Visit, 'reason' | 'mayChange'>) =>
      clientOf().call(path, { id: projectId, reason, with_changes: mayChange }),
    onSuccess(_, visit) {
      keepVisit(me.user.id, projectId, visit)
      onChange({ ...visit, until: Number.POSITIVE_INFINITY })
    },
    onError(error) {
      if (fieldErrors(error)['reason'] === undefined) showFailure(t('The project was not opened'), error)
    },
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
  const { projectId, me, visit, onChange } = props
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const visiting = useVisiting(props)
  const end = () => {
    keepVisit(me.user.id, projectId, undefined)
    onChange(undefined)
    navigate(`${operatorBase}/projects/${projectId}`)
  }
  const project = <strong dir="auto">{me.current_project?.name}</strong>
  return (
    <section className="support-banner" aria-label={t('Support')}>
      {visit.mayChange ? <Pencil aria-hidden="true" /> : <Eye aria-hidden="true" />}
      <p>
        {visit.mayChange
          ? rich('You can change {project} as Cardinal support.', { project })
          : rich("You're looking at {project} as Cardinal support. You can't change anything.", { project })}
      </p>
      {!visit.mayChange && <Button onClick={() => setAsking(true)}>{t('Allow changes…')}</Button>}
      <Button onClick={end}>{t('Leave project')}</Button>
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
