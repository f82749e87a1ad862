import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { identity } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useConfirmation } from '../../identity/confirm-password.tsx'
import { useRefusal } from '../../identity/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { t } from '../../words/words.ts'

export function DeleteProject() {
  const { id, me, client } = useProject()
  const refusal = useRefusal('delete the project')
  const [isAsking, setAsking] = useState(false)
  const name = me.current_project?.name ?? ''
  const { isAskedBy, dialog } = useConfirmation()
  const deleting = useMutation({
    mutationFn: () => client.call(`${identity}/projects/delete`, { id, name }),
    // Its address says until when it can be restored.
    onSuccess: () => location.assign(`/p/${id}/home`),
    onError(error) {
      if (!isAskedBy(error, () => deleting.mutate())) showFailure(t('The project was not deleted'), error)
    },
  })
  return (
    <section className="project-settings-section" aria-labelledby="delete-project">
      <h2 id="delete-project">{t('Delete project')}</h2>
      <p>
        {t(
          'No one can open it any more, and paid subscriptions end with their period. Owners can restore it for 30 days.',
        )}
      </p>
      <Button look="danger" refusal={refusal} isBusy={deleting.isPending} onClick={() => setAsking(true)}>
        {t('Delete project…')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('Delete {project}', { project: name })}
          action={t('Delete project')}
          isDanger
          typed={name.trim()}
          onClose={() => setAsking(false)}
          onConfirm={() => deleting.mutate()}
        >
          <p>
            {t(
              'Everyone loses access at once. You can restore the project for 30 days. Then everything in it is permanently deleted.',
            )}
          </p>
        </Confirm>
      )}
      {dialog}
    </section>
  )
}
