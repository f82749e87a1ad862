import { admin } from '../../../data/client.ts'
import { useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'
import type { Result, Rollout } from '../types.ts'
import { Things } from './things.tsx'

interface Props {
  rollout: Rollout
  project: Result
  onClose(): void
}

/** What the rollout did in one project, card by card. */
export function ReceivedChanges({ rollout, project, onClose }: Props) {
  const query = useRead(`${admin}/rollouts/get-project`, { id: rollout.id, project_id: project.project_id })
  return (
    <Dialog title={project.project_name} onClose={onClose}>
      <Reading query={query} failed={t('The changes could not be loaded')}>
        {({ things }) =>
          things.length === 0 ? (
            <p className="rollout-none">{t('The history of this project no longer names them.')}</p>
          ) : (
            <Things things={things} />
          )
        }
      </Reading>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
