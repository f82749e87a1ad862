import { ArrowLeft, RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { fieldNames } from '../../boards/field-names.ts'
import { FieldValue } from '../../boards/field-value.tsx'
import { admin, type Output } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { counted, t } from '../../words/words.ts'
import { SelectAll } from '../select-all.tsx'
import { useRowToggle, useSelection } from '../selection.ts'
import { StoppedUpdates } from '../stopped-updates.tsx'

export type CustomizedCard = Output<`${typeof admin}/customized/get`>['customized']['cards'][number]
export type Customized = CustomizedCard['fields'][number]['field']

/** A field, or that updates are stopped. */
export const customizedNames: Record<Customized, string> = {
  ...(Object.fromEntries(Object.entries(fieldNames).map(([field, [name]]) => [field, name])) as Record<
    keyof typeof fieldNames,
    string
  >),
  takes_updates: t('Updates stopped'),
}

interface Props {
  boardId: number
  card: CustomizedCard
  field: Customized
}

const path = `${admin}/customized/list-projects` as const

/** The service's own limit. */
const mostProjects = 1000

/** The projects that have customized a field of a card, each with its value and the template's. */
export function CustomizedIn({ boardId, card, field }: Props) {
  const { base, client } = useProject()
  const input = { card_id: card.id, field }
  const query = usePages(path, { ...input, limit: 100 }, { refetchOnMount: 'always' })
  const projects = query.data?.pages.flatMap((page) => page.projects)
  const selection = useSelection(
    projects,
    async (page) => {
      const { projects: rows, next_cursor } = await client.call(path, { ...input, ...page })
      return { rows, next_cursor }
    },
    mostProjects,
  )
  const { selected, setSelected } = selection
  const count = card.fields.find((one) => one.field === field)?.projects_count ?? 0
  return (
    <>
      <Link href={`${base}/templates/${boardId}/customized`} className="customized-back">
        <ArrowLeft aria-hidden="true" />
        {t('All customized cards')}
      </Link>
      <h2 className="customized-title" dir="auto">
        {t('{field} of “{card}”', { field: customizedNames[field], card: card.title })}
      </h2>
      {!isResettable(field) ? (
        <p className="customized-about">
          {field === 'takes_updates'
            ? t('Whether a card takes updates is up to each project.')
            : t('Positions and hidden cards are up to each project.')}
        </p>
      ) : (
        <div className="customized-bar">
          <p className="numbers" role="status">
            {counted(selected.size, {
              one: '{count} project selected',
              other: '{count} projects selected',
            })}
          </p>
          <SelectAll selection={selection} count={count} most={mostProjects} />
          <ResetButton boardId={boardId} card={card} field={field} projectIds={[...selected]} />
          {count > mostProjects && selected.size >= mostProjects && (
            <p className="customized-bound">
              {t('A reset reaches at most {count} projects. The others stay in this list for the next one.', {
                count: mostProjects,
              })}
            </p>
          )}
        </div>
      )}
      <Reading query={{ ...query, data: projects }} failed={t('The projects could not be loaded')}>
        {(read) =>
          read.length === 0 ? (
            <p className="customized-about">{t('No project has customized it any more.')}</p>
          ) : (
            <ProjectTable
              field={field}
              projects={read}
              {...(isResettable(field) && { selected })}
              onSelect={setSelected}
            />
          )
        }
      </Reading>
      <ShowMore query={query} />
    </>
  )
}

interface TableProps {
  field: Customized
  projects: Output<typeof path>['projects']
  /** Only if the field can be reset. */
  selected?: ReadonlySet<number>
  onSelect(selected: ReadonlySet<number>): void
}

const none: ReadonlySet<number> = new Set()

function ProjectTable({ field, projects, selected, onSelect }: TableProps) {
  const { base } = useProject()
  const toggle = useRowToggle(projects, selected ?? none, onSelect)
  const word = wordOf(field)
  const shown = (value: string | null): ReactNode =>
    word ?? <FieldValue field={field as Field} value={value} />
  return (
    <table className="customized">
      <caption className="visually-hidden">{t('Projects')}</caption>
      <thead>
        <tr>
          {selected && (
            <th scope="col" className="customized-check">
              <input
                type="checkbox"
                aria-label={t('Select all projects in the list')}
                checked={projects.every(({ id }) => selected.has(id))}
                onChange={(event) =>
                  onSelect(
                    new Set(event.target.checked ? [...selected, ...projects.map(({ id }) => id)] : []),
                  )
                }
              />
            </th>
          )}
          <th scope="col">{t('Project')}</th>
          <th scope="col">{t('In the project')}</th>
          {word === undefined && <th scope="col">{t('In the template')}</th>}
        </tr>
      </thead>
      <tbody>
        {projects.map(({ id, name, value, template_value: ofTemplate, updates_stopped: stopped }) => (
          <tr key={id}>
            {selected && (
              <td className="customized-check">
                <input
                  type="checkbox"
                  aria-label={t('Select {project}', { project: name })}
                  checked={selected.has(id)}
                  onChange={(event) => toggle(id, event)}
                />
              </td>
            )}
            <th scope="row">
              <Link href={`${base}/projects/${id}`} dir="auto">
                {name}
              </Link>
            </th>
            <td dir="auto">
              {field === 'takes_updates' ? <StoppedUpdates stopped={stopped} /> : shown(value)}
            </td>
            {word === undefined && <td dir="auto">{shown(ofTemplate)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Field = Exclude<Customized, 'takes_updates'>
/** What a reset can give back. */
type CardField = Exclude<Field, 'place' | 'is_active'>

const isResettable = (field: Customized): field is CardField =>
  field !== 'takes_updates' && field !== 'place' && field !== 'is_active'

/** What is said of a project instead of a value. */
function wordOf(field: Customized): string | undefined {
  if (field === 'place') return t('Moved')
  if (field === 'is_active') return t('Hidden')
  return field === 'takes_updates' ? t('Stopped') : undefined
}

/** Plans to give the chosen projects the template's value. */
function ResetButton({
  boardId,
  card,
  field,
  projectIds,
}: Props & { field: CardField; projectIds: number[] }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const lost = useLostConnection()
  const planning = useWrite(`${admin}/rollouts/plan`, { failed: t('The reset was not planned') })
  const input = {
    board_id: boardId,
    card_id: card.id,
    reset_fields: [field],
    project_ids: projectIds,
  }
  return (
    <Button
      icon={<RotateCcw />}
      isBusy={planning.isPending}
      refusal={
        lost ??
        (projectIds.length === 0 ? t('Select projects first.') : undefined) ??
        (projectIds.length > mostProjects
          ? t('At most {count} projects at a time.', { count: mostProjects })
          : undefined)
      }
      onClick={() =>
        planning.mutate(input, { onSuccess: ({ rollout }) => navigate(`${base}/rollouts/${rollout.id}`) })
      }
    >
      {counted(
        projectIds.length,
        { one: 'Reset {field} in {count} project', other: 'Reset {field} in {count} projects' },
        { field: fieldNames[field][1] },
      )}
    </Button>
  )
}
