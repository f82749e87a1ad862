import { Plus, X } from 'lucide-react'
import type { admin, Input } from '../../../data/client.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { FieldSelect } from '../../../ui/field.tsx'
import { counted, t } from '../../../words/words.ts'
import { type Candidates, type PickedProject, PickedProjects } from './picked-projects.tsx'

/** `who` is a share in percent, `rest`, `picked`, or the id of an audience after `a`. */
export interface Stage {
  key: number
  who: string
  /** Kept while another choice is tried. */
  picked: readonly PickedProject[]
  /** In minutes; empty for by hand. */
  wait: string
}

type StageInput = NonNullable<Input<`${typeof admin}/rollouts/plan`>['stages']>[number]

export function stageInput({ who, picked, wait }: Stage): StageInput {
  const wait_minutes = wait === '' ? null : Number(wait)
  if (who === 'picked') return { projects: picked.map(({ id }) => id), wait_minutes }
  if (who.startsWith('a')) return { audience_id: Number(who.slice(1)), wait_minutes }
  return { percent: who === 'rest' ? null : Number(who), wait_minutes }
}

export const firstStages: readonly Stage[] = [
  { key: 1, who: '10', picked: [], wait: '' },
  { key: 2, who: 'rest', picked: [], wait: '' },
]

/** Why a rollout with these stages cannot be planned. */
export function stagesRefusal(stages: readonly Stage[]): string | undefined {
  const number = stages.findIndex(({ who, picked }) => who === 'picked' && picked.length === 0) + 1
  return number === 0 ? undefined : t('Pick at least one project for stage {number}.', { number })
}

const shares = [1, 5, 10, 25, 50]
const waits: readonly [minutes: string, label: string][] = [
  ['', t('Until I start it')],
  ['60', t('1 hour')],
  ['1440', t('1 day')],
  ['4320', t('3 days')],
  ['10080', t('7 days')],
]
const mostStages = 20

interface Props {
  stages: readonly Stage[]
  audiences: readonly { id: number; name: string }[]
  /** The projects that can be picked. */
  candidates: Candidates
  onChange(stages: readonly Stage[]): void
}

/** The stages of a rollout: who is reached in each, and what the next one waits for. */
export function Stages({ stages, audiences, candidates, onChange }: Props) {
  const change = (key: number, values: Partial<Stage>) =>
    onChange(stages.map((stage) => (stage.key === key ? { ...stage, ...values } : stage)))
  const add = () => {
    const key = Math.max(...stages.map((stage) => stage.key)) + 1
    onChange([...stages.slice(0, -1), { key, who: '50', picked: [], wait: '' }, ...stages.slice(-1)])
  }
  return (
    <div className="plan-stages">
      <p className="plan-about">
        {t('A percentage is of the projects that the rollout changes, including those of earlier stages.')}
      </p>
      {stages.map(({ key, who, picked, wait }, index) => (
        <fieldset key={key} className="plan-stage">
          <legend>{t('Stage {number}', { number: index + 1 })}</legend>
          <FieldSelect
            label={t('Projects')}
            value={who}
            onChange={(event) => change(key, { who: event.target.value })}
          >
            {shares.map((percent) => (
              <option key={percent} value={percent}>
                {t('Up to {percent}% of projects', { percent })}
              </option>
            ))}
            <option value="rest">{t('All that are left')}</option>
            <option value="picked">{t('Projects that I pick')}</option>
            {audiences.map(({ id, name }) => (
              <option key={id} value={`a${id}`}>
                {t('Audience {name}', { name })}
              </option>
            ))}
          </FieldSelect>
          {index < stages.length - 1 ? (
            <FieldSelect
              label={t('Then wait')}
              value={wait}
              onChange={(event) => change(key, { wait: event.target.value })}
            >
              {waits.map(([minutes, label]) => (
                <option key={minutes} value={minutes}>
                  {label}
                </option>
              ))}
            </FieldSelect>
          ) : (
            <span />
          )}
          <IconButton
            label={t('Remove stage {number}', { number: index + 1 })}
            icon={<X />}
            refusal={stages.length === 1 ? t('A rollout in stages has at least one.') : undefined}
            onClick={() => onChange(stages.filter((stage) => stage.key !== key))}
          />
          {who === 'picked' && (
            <PickedProjects
              projects={picked}
              candidates={candidates}
              onChange={(projects) => change(key, { picked: projects })}
            />
          )}
        </fieldset>
      ))}
      <Button
        icon={<Plus />}
        refusal={
          stages.length >= mostStages
            ? counted(mostStages, { one: 'At most {count} stage.', other: 'At most {count} stages.' })
            : undefined
        }
        onClick={add}
      >
        {t('Add stage')}
      </Button>
    </div>
  )
}
