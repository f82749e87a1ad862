import { admin } from '../../../data/client.ts'
import { useProject } from '../../../data/project.tsx'
import { useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'
import type { Rollout } from '../types.ts'
import { outcomeName } from '../words.ts'
import { Things } from './things.tsx'

const path = `${admin}/rollouts/plan/get-project` as const

interface Props {
  rollout: Rollout
  project: { project_id: number; project_name: string }
  onClose(): void
}

/** What one project would receive at this moment. */
export function PlannedProject({ rollout, project, onClose }: Props) {
  const { base } = useProject()
  const { project_id: projectId, project_name: name } = project
  const query = useRead(path, { id: rollout.id, project_id: projectId }, { refetchOnMount: 'always' })
  return (
    <Dialog title={name} onClose={onClose}>
      <Reading query={query} failed={t('The plan could not be loaded')}>
        {({ outcome, things, differs, error }) => (
          <>
            <p className="rollout-outcome">
              <span className="rollout-mark" data-outcome={outcome} aria-hidden="true" />
              {outcomeName(outcome, rollout)}
            </p>
            {differs && (
              <p className="plan-differs" role="status">
                {t('The project has changed since it was planned. This is what it would receive now.')}
              </p>
            )}
            {error !== null && <p className="rollout-reason">{error}</p>}
            {things.length === 0 && error === null && (
              <p className="rollout-none">{t('Nothing changes in this project.')}</p>
            )}
            <Things things={things} />
          </>
        )}
      </Reading>
      <DialogActions>
        <ButtonLink href={`${base}/projects/${projectId}`}>{t('Go to project')}</ButtonLink>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
