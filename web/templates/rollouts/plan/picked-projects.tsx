import { keepPreviousData } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { admin, type Input } from '../../../data/client.ts'
import { useRead } from '../../../data/read.ts'
import { mostHandPicked } from '../../../fleet/audiences/filter.ts'
import { Picker } from '../../../ui/picker.tsx'
import { useSettled } from '../../../ui/settled.ts'
import { formatNumber } from '../../../words/locale.ts'
import { counted, t } from '../../../words/words.ts'
import '../../../ui/filter-row.css'

export interface PickedProject {
  id: number
  name: string
}

/** The projects that a stage can have: all that match a filter, or in which a rollout that is reverted changed something. */
export type Candidates = { filter: Input<`${typeof admin}/projects/list`> } | { rolloutId: number }

const mostFound = 50

interface Props {
  projects: readonly PickedProject[]
  candidates: Candidates
  onChange(projects: readonly PickedProject[]): void
}

/** Projects that are picked one by one, found by name or id. */
export function PickedProjects({ projects, candidates, onChange }: Props) {
  const [text, setText] = useState('')
  const settled = useSettled(text)
  const { found, isMore, isReading } = useFound(candidates, settled)
  const isFull = projects.length >= mostHandPicked
  const remove = (id: number) => onChange(projects.filter((one) => one.id !== id))
  const choose = (id: number) => {
    if (projects.some((one) => one.id === id)) remove(id)
    else if (!isFull) onChange([...projects, ...found.filter((one) => one.id === id)])
  }
  return (
    <div className="plan-picked">
      <Picker<number>
        label={t('Search by name or id')}
        choices={found.map(({ id, name }) => ({ id, label: `${name} · ${id}` }))}
        chosen={projects.map(({ id }) => id)}
        isMultiple
        onSearch={setText}
        isReading={isReading || settled !== text}
        note={
          isFull
            ? t('A stage can have at most {count} picked projects.', { count: mostHandPicked })
            : isMore
              ? t('More projects match. Type to narrow it down.')
              : undefined
        }
        onChoose={choose}
        trigger={(trigger) => (
          <button type="button" className="button button-secondary" {...trigger}>
            <Plus aria-hidden="true" />
            <span className="button-label">{t('Add projects')}</span>
          </button>
        )}
      />
      <p className="plan-about numbers" role="status">
        {counted(
          projects.length,
          {
            one: '{count} project picked, of at most {most}',
            other: '{count} projects picked, of at most {most}',
          },
          { most: formatNumber(mostHandPicked) },
        )}
      </p>
      {projects.length > 0 && (
        <ul className="chips" aria-label={t('Picked projects')}>
          {projects.map(({ id, name }) => (
            <li key={id} className="chip" title={`${name} · ${id}`}>
              <span className="truncate" dir="auto">
                {name}
              </span>
              <button
                type="button"
                className="chip-remove"
                aria-label={t('Remove {project}', { project: name })}
                onClick={() => remove(id)}
              >
                <X />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function useFound(
  candidates: Candidates,
  text: string,
): { found: readonly PickedProject[]; isMore: boolean; isReading: boolean } {
  const query = text.trim() === '' ? {} : { query: text.trim() }
  const page = { ...query, limit: mostFound }
  const options = { placeholderData: keepPreviousData }
  const listed = useRead(
    `${admin}/projects/list`,
    { ...('filter' in candidates ? candidates.filter : {}), ...page },
    { ...options, enabled: 'filter' in candidates },
  )
  const reverted = useRead(
    `${admin}/rollouts/get`,
    { id: 'rolloutId' in candidates ? candidates.rolloutId : 0, outcome: 'changed', ...page },
    { ...options, enabled: 'rolloutId' in candidates },
  )
  const read = 'filter' in candidates ? listed : reverted
  const found =
    listed.data?.projects ??
    (reverted.data?.results ?? []).map(({ project_id: id, project_name: name }) => ({ id, name }))
  return {
    found,
    isMore: read.data?.next_cursor != null,
    isReading: read.data === undefined || read.isPlaceholderData,
  }
}
