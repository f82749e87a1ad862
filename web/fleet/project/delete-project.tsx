import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { admin, identity } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useConfirmation } from '../../identity/confirm-password.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

/** Deletes a project after its name was typed; the list of deleted projects can restore it. */
export function DeleteProject({ project: { id, name } }: { project: { id: number; name: string } }) {
  const { base, client } = useProject()
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const refusal = useLostConnection()
  const [isAsking, setAsking] = useState(false)
  const { isAskedBy, dialog } = useConfirmation()
  const deleting = useMutation({
    mutationFn: () => client.call(`${identity}/projects/delete`, { id, name }),
    onSuccess() {
      // Only the list: the project itself can no longer be read.
      void cache.invalidateQueries({ queryKey: [0, `${admin}/projects/list`] })
      navigate(`${base}/projects`)
      showToast(t('Deleted the project {project}', { project: name }))
    },
    onError(error) {
      if (!isAskedBy(error, () => deleting.mutate())) showFailure(t('The project was not deleted'), error)
    },
  })
  return (
    <>
      <IconButton
        label={t('Delete project…')}
        icon={<Trash2 />}
        refusal={refusal}
        isBusy={deleting.isPending}
        onClick={() => setAsking(true)}
      />
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
    </>
  )
}
