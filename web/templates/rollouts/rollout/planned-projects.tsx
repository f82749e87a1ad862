import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { admin, type Output } from '../../../data/client.ts'
import { usePages } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { useSettled } from '../../../ui/settled.ts'
import { ShowMore } from '../../../ui/show-more.tsx'
import { formatNumber } from '../../../words/locale.ts'
import { t } from '../../../words/words.ts'
import { OutcomeFilter } from '../outcome-filter.tsx'
import type { Rollout } from '../types.ts'
import { outcomeName } from '../words.ts'
import { useNames } from './left-out.ts'
import { type Plan, planOutcomes } from './planned.tsx'
import { PlannedProject } from './planned-project.tsx'

const path = `${admin}/rollouts/plan/list-projects` as const

type Project = Output<typeof path>['projects'][number]

/** What each project would receive; searched and filtered, as the address says. */
export function PlannedProjects({ rollout, plan }: { rollout: Rollout; plan: Plan }) {
  const [search, setSearch] = useSearchParams()
  const outcome = planOutcomes.find((one) => one === search.get('outcome')) ?? null
  const query = useSettled((search.get('q') ?? '').trim())
  const pages = usePages(
    path,
    { id: rollout.id, ...(query !== '' && { query }), ...(outcome !== null && { outcome }) },
    { placeholderData: keepPreviousData },
  )
  const projects = pages.data?.pages.flatMap((page) => page.projects)
  const [opened, setOpened] = useState<Project>()
  return (
    <section aria-label={t('By project')} className="plan-section">
      <h2>{t('By project')}</h2>
      <OutcomeFilter
        outcomes={planOutcomes}
        counts={plan}
        nameOf={(one) => outcomeName(one, rollout)}
        search={search}
        onChange={setSearch}
      />
      <Reading query={{ ...pages, data: projects }} failed={t('The projects could not be loaded')}>
        {(read) =>
          read.length === 0 ? (
            <p className="rollout-none">{t('No projects.')}</p>
          ) : (
            <ProjectTable rollout={rollout} plan={plan} projects={read} onOpen={setOpened} />
          )
        }
      </Reading>
      <ShowMore query={pages} />
      {opened && <PlannedProject rollout={rollout} project={opened} onClose={() => setOpened(undefined)} />}
    </section>
  )
}

interface TableProps {
  rollout: Rollout
  plan: Plan
  projects: readonly Project[]
  onOpen(project: Project): void
}

const columns = [
  ['added', t('Added')],
  ['updated', t('Updated')],
  ['moved', t('Moved')],
  ['removed', t('Deleted')],
  ['kept', t('Kept')],
  ['skipped', t('Skipped')],
] as const

function ProjectTable({ rollout, plan, projects, onOpen }: TableProps) {
  // Columns without a number in any project would only take room.
  const shown = columns.filter(([name]) => plan[name] > 0)
  return (
    <div className="plan-scroller slim-scroll">
      <table className="plan-table">
        <caption className="visually-hidden">{t('Projects')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Project')}</th>
            <th scope="col">{t('Result')}</th>
            {shown.map(([name, label]) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {projects.map((project) => (
            <tr key={project.project_id}>
              <th scope="row">
                <button type="button" className="plan-project" dir="auto" onClick={() => onOpen(project)}>
                  {project.project_name}
                </button>
              </th>
              <td>
                <span className="rollout-outcome">
                  <span className="rollout-mark" data-outcome={project.outcome} aria-hidden="true" />
                  {outcomeName(project.outcome, rollout)}
                </span>
                {project.error !== null && <p className="rollout-reason">{project.error}</p>}
                {project.uses.length > 0 && (
                  <p className="rollout-reason">{project.uses.map(({ use }) => useNames[use]).join(', ')}</p>
                )}
              </td>
              {shown.map(([name]) => (
                <td key={name} className="numbers">
                  {project[name] === 0 ? '–' : formatNumber(project[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
