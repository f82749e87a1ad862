import { ArrowLeft, RotateCcw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
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

/** The projects that have customized a field of a card, each with its value and the template's. */
export function CustomizedIn({ boardId, card, field }: Props) {
  const { base } = useProject()
  const query = usePages(
    `${admin}/customized/list-projects`,
    { card_id: card.id, field, limit: 100 },
    { refetchOnMount: 'always' },
  )
  const projects = query.data?.pages.flatMap((page) => page.projects)
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const toggle = (ids: readonly number[], isAdded: boolean) =>
    setSelected((before) => {
      const next = new Set(before)
      for (const id of ids)
        if (isAdded) next.add(id)
        else next.delete(id)
      return next
    })
  const word = wordOf(field)
  const shown = (value: string | null): ReactNode =>
    word ?? <FieldValue field={field as Field} value={value} />
  return (
    <>
      <Link href={`${base}/templates/${boardId}/customized`} className="customized-back">
        <ArrowLeft aria-hidden="true" />
        {t('All customized cards')}
      </Link>
      <h2 className="customized-title" dir="auto">
        {t('{field} of “{card}”', { field: customizedNames[field], card: card.title })}
      </h2>
      <div className="customized-bar">
        <p className="numbers" role="status">
          {counted(selected.size, {
            one: '{count} project selected',
            other: '{count} projects selected',
          })}
        </p>
        <ResetButton boardId={boardId} card={card} field={field} projectIds={[...selected]} />
      </div>
      <Reading query={{ ...query, data: projects }} failed={t('The projects could not be loaded')}>
        {(read) =>
          read.length === 0 ? (
            <p className="customized-about">{t('No project has customized it any more.')}</p>
          ) : (
            <table className="customized">
              <caption className="visually-hidden">{t('Projects')}</caption>
              <thead>
                <tr>
                  <th scope="col" className="customized-check">
                    <input
                      type="checkbox"
                      aria-label={t('Select all projects in the list')}
                      checked={read.every(({ id }) => selected.has(id))}
                      onChange={(event) =>
                        toggle(
                          read.map(({ id }) => id),
                          event.target.checked,
                        )
                      }
                    />
                  </th>
                  <th scope="col">{t('Project')}</th>
                  <th scope="col">{t('In the project')}</th>
                  {word === undefined && <th scope="col">{t('In the template')}</th>}
                </tr>
              </thead>
              <tbody>
                {read.map(({ id, name, value, template_value: ofTemplate }) => (
                  <tr key={id}>
                    <td className="customized-check">
                      <input
                        type="checkbox"
                        aria-label={t('Select {project}', { project: name })}
                        checked={selected.has(id)}
                        onChange={(event) => toggle([id], event.target.checked)}
                      />
                    </td>
                    <th scope="row">
                      <Link href={`${base}/projects/${id}`} dir="auto">
                        {name}
                      </Link>
                    </th>
                    <td dir="auto">{shown(value)}</td>
                    {word === undefined && <td dir="auto">{shown(ofTemplate)}</td>}
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Reading>
      <ShowMore query={query} />
    </>
  )
}

type Field = Exclude<Customized, 'takes_updates'>

/** What is said of a project instead of a value. */
function wordOf(field: Customized): string | undefined {
  if (field === 'place') return t('Moved')
  if (field === 'is_active') return t('Hidden')
  return field === 'takes_updates' ? t('Stopped') : undefined
}

/** The service's own limit. */
const mostProjects = 1000

/** Plans to give the chosen projects the template's value. */
function ResetButton({ boardId, card, field, projectIds }: Props & { projectIds: number[] }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const lost = useLostConnection()
  const planning = useWrite(`${admin}/rollouts/plan`, { failed: t('The reset was not planned') })
  if (field === 'takes_updates') return <p>{t('Whether a card takes updates is up to each project.')}</p>
  if (field === 'place' || field === 'is_active')
    return <p>{t('Positions and hidden cards are up to each project.')}</p>
  const input = { board_id: boardId, card_id: card.id, reset_fields: [field], project_ids: projectIds }
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
