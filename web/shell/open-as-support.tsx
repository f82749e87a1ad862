import { useState } from 'react'
import { fieldErrors } from '../data/failure.ts'
import { operatorBase } from '../data/project.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import { Alone } from './alone.tsx'
import { useVisiting, type VisitProps } from './visiting.ts'
import './open-as-support.css'
import { Form } from '../ui/form.tsx'

/** Asks a superadmin who is no member why the project is opened. */
export default function OpenAsSupport(props: VisitProps) {
  const { me } = props
  const [reason, setReason] = useState('')
  const visiting = useVisiting(props)
  const submit = () => {
    visiting.mutate({ reason: reason.trim(), mayChange: false })
  }
  return (
    <Alone title={t('Open as support')}>
      <Form className="support-form" isBusy={visiting.isPending} onSubmit={submit}>
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
      </Form>
    </Alone>
  )
}
