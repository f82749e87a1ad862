import { Archive, ArchiveRestore } from 'lucide-react'
import { useState } from 'react'
import { admin } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import type { FleetProject } from '../types.ts'

/** Archives the project, or brings it back. */
export const ArchiveProject = ({ project }: { project: FleetProject }) =>
  project.archived_at === null ? <Archiving project={project} /> : <BringBack project={project} />

function Archiving({ project: { id, name } }: { project: FleetProject }) {
  const refusal = useLostConnection()
  const [isAsking, setAsking] = useState(false)
  const archiving = useWrite(`${admin}/projects/archive`, {
    failed: t('The project was not archived'),
    done: () => showToast(t('Archived the project {project}', { project: name })),
  })
  return (
    <>
      <IconButton
        label={t('Archive project…')}
        icon={<Archive />}
        refusal={refusal}
        isBusy={archiving.isPending}
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <Confirm
          title={t('Archive {project}', { project: name })}
          action={t('Archive project')}
          onClose={() => setAsking(false)}
          onConfirm={() => archiving.mutate({ id })}
        >
          <p>
            {t(
              'Members can still read it, but not change it. Rollouts, reminders and the figures of all projects leave it out; its subscriptions continue. You can bring it back at any time.',
            )}
          </p>
        </Confirm>
      )}
    </>
  )
}

function BringBack({ project: { id, name } }: { project: FleetProject }) {
  const refusal = useLostConnection()
  const bringing = useWrite(`${admin}/projects/unarchive`, {
    failed: t('The project was not brought back'),
    done: () => showToast(t('Brought back the project {project}', { project: name })),
  })
  return (
    <Button
      icon={<ArchiveRestore />}
      refusal={refusal}
      isBusy={bringing.isPending}
      onClick={() => bringing.mutate({ id })}
    >
      {t('Bring back')}
    </Button>
  )
}
