import { identity } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

/** In the row of a deleted project. */
export function RestoreProject({ project: { id, name } }: { project: { id: number; name: string } }) {
  const refusal = useLostConnection()
  const restoring = useWrite(`${identity}/projects/restore`, {
    failed: t('The project was not restored'),
    done: () => showToast(t('Restored the project {project}', { project: name })),
  })
  return (
    <Button
      refusal={refusal}
      isBusy={restoring.isPending}
      aria-label={t('Restore project {project}', { project: name })}
      onClick={() => restoring.mutate({ id })}
    >
      {t('Restore')}
    </Button>
  )
}
