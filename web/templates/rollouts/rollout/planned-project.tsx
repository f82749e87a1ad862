import { Link } from 'wouter'
import { admin, type Output } from '../../../data/client.ts'
import { useProject } from '../../../data/project.tsx'
import { useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { t } from '../../../words/words.ts'
import { thingNames } from '../../template/differences.tsx'
import { fieldInText } from '../../template/field-names.ts'
import type { Rollout } from '../types.ts'
import { outcomeName } from '../words.ts'
import { skipNames } from './left-out.ts'

const path = `${admin}/rollouts/plan/get-project` as const

type Thing = Output<typeof path>['things'][number]

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
            <ul className="plan-things slim-scroll">
              {things.map((thing) => (
                <li key={`${thing.thing} ${thing.id}`}>
                  <p dir="auto">{thing.title}</p>
                  <p>
                    {thingNames[thing.thing]} · {changeInWords(thing)}
                  </p>
                </li>
              ))}
            </ul>
          </>
        )}
      </Reading>
      <Link href={`${base}/projects/${projectId}`} className="plan-to-project">
        {t('Go to project')}
      </Link>
    </Dialog>
  )
}

const changeNames: Readonly<Record<Thing['change'], string>> = {
  added: t('Added'),
  returned: t('Restored'),
  updated: t('Updated'),
  removed: t('Deleted'),
  kept: t('Kept as customized'),
  skipped: t('Skipped'),
}

/** Why a revert leaves a card. */
const reasons: Readonly<Record<string, string>> = {
  used: t('Kept: in use'),
  later_rollout: t('Kept: changed by a later rollout'),
}

function changeInWords({ change, fields, kept, is_moved, reason: skipped }: Thing): string {
  if (skipped !== null) return t('Skipped: {list}', { list: skipNames[skipped] })
  const reason = reasons[kept[0] ?? '']
  if (reason !== undefined) return reason
  const parts = [
    change === 'updated' && fields.length > 0
      ? t('Updated: {fields}', { fields: fields.map(fieldInText).join(', ') })
      : change === 'updated'
        ? ''
        : changeNames[change],
    is_moved ? t('Moved') : '',
    kept.length > 0 ? t('kept {fields}', { fields: kept.map(fieldInText).join(', ') }) : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
