import { useMutation, useQuery } from '@tanstack/react-query'
import { clientOf, identity, type Output } from '../data/client.ts'
import { showFailure } from '../data/failure.ts'
import { Button } from '../ui/button.tsx'
import { personName } from '../ui/person-name.ts'
import { fullDay } from '../ui/time.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'

const path = `${identity}/projects/list-deleted` as const

type Deleted = Output<typeof path>['projects'][number]

/** The deleted projects that the person may know of. */
export const useDeleted = () =>
  useQuery({ queryKey: [0, path], queryFn: () => clientOf().call(path, { limit: 200 }) })

export function Restore({ project: { id, name } }: { project: Deleted }) {
  const restoring = useMutation({
    mutationFn: () => clientOf().call(`${identity}/projects/restore`, { id }),
    // What was read before belongs to no project, or to another one.
    onSuccess: () => location.assign(`/p/${id}/home`),
    onError: (error) => showFailure(t('The project was not restored'), error),
  })
  return (
    <Button
      isBusy={restoring.isPending}
      aria-label={t('Restore project {project}', { project: name })}
      onClick={() => restoring.mutate()}
    >
      {t('Restore project')}
    </Button>
  )
}

/** Until when, and by whom it was deleted. */
export const Circumstances = ({ project }: { project: Deleted }) =>
  project.deleted_by_name === null
    ? t('It can be restored until {date}.', { date: fullDay(project.restorable_until) })
    : rich('Deleted by {person}. It can be restored until {date}.', {
        person: <strong dir="auto">{personName(project.deleted_by_name)}</strong>,
        date: fullDay(project.restorable_until),
      })
