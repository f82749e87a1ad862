import { Link, useLocation, useSearchParams } from 'wouter'
import { admin, type Output } from '../../../data/client.ts'
import { useProject } from '../../../data/project.tsx'
import { together, useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { useWrite } from '../../../data/write.ts'
import { useChoices } from '../../../fleet/audiences/choices.ts'
import { addressOf, changed, type Filter, filterIn } from '../../../fleet/audiences/filter.ts'
import { filterInWords, leftOutInWords } from '../../../fleet/audiences/filter-words.ts'
import { usePlatforms } from '../../../projects/platforms.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { FieldSelect } from '../../../ui/field.tsx'
import { Page } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { rich } from '../../../words/rich.tsx'
import { counted, t } from '../../../words/words.ts'
import { CourseForm } from './course-form.tsx'
import './page.css'

interface Template {
  id: number
  platform_id: number
  tool_key: string | null
  title: string
  version: number
  access_count: number
  has_draft_changes: boolean
}

/** Chooses what is rolled out to whom and how, and plans it; what and to whom is in the address. */
export default function PlanPage() {
  const { base } = useProject()
  const query = together(
    useRead(`${admin}/master-boards/list`),
    useRead(`${admin}/audiences/list`, undefined, { refetchOnMount: 'always' }),
  )
  return (
    <Page title={t('Plan rollout')} width="form">
      <Reading query={query} failed={t('The templates could not be loaded')}>
        {([{ boards }, { audiences }]) => {
          const templates = boards.filter(({ is_active }) => is_active)
          return templates.length === 0 ? (
            <Empty
              title={t('No templates yet')}
              action={<ButtonLink href={`${base}/templates`}>{t('Go to templates')}</ButtonLink>}
            />
          ) : (
            <PlanForm templates={templates} audiences={audiences} />
          )
        }}
      </Reading>
    </Page>
  )
}

type Audience = Output<`${typeof admin}/audiences/list`>['audiences'][number]

interface FormProps {
  templates: readonly Template[]
  audiences: readonly Audience[]
}

function PlanForm({ templates, audiences: ofAll }: FormProps) {
  const { base, me } = useProject()
  const platforms = usePlatforms(me.user.superadmin_platform_id === null)
  const [, navigate] = useLocation()
  const [search, setSearch] = useSearchParams()
  const given = (name: string) => search.get(name) ?? ''
  const change = (values: Record<string, string>) =>
    setSearch((before) => changed(before, values), { replace: true })
  const picked = filterIn(given).project_ids
  const filter = given('filter') === '' ? undefined : filterOf(given('filter'))
  const wanted = given('template') || String(filter?.template_id ?? '')
  const template =
    templates.find(({ id }) => String(id) === wanted) ??
    templates.find(({ platform_id }) => String(platform_id) === given('platform')) ??
    (templates[0] as Template)
  const audience = ofAll.find(({ id }) => String(id) === given('audience'))
  const isHere = ({ platform_id }: { platform_id: number }) => platform_id === template.platform_id
  const audiences = ofAll.filter((one) => isHere(one) || one === audience)
  const chosen = picked ? { project_ids: picked } : filter
  const reached = chosen ?? (audience && filterOf(addressOf(audience).toString()))
  const { count, leftOut } = useFitting(chosen, platforms.size > 0 ? template.platform_id : null)
  const unfit =
    (count === 0 && leftOut > 0) || (audience && !chosen && !isHere(audience))
      ? t('None of the projects is on the platform of this template. Choose another template.')
      : undefined
  const number = Number(given('version')) || template.version
  const planning = useWrite(`${admin}/rollouts/plan`, {
    failed: t('The rollout was not planned'),
    done: (_input, { rollout }) => navigate(`${base}/rollouts/${rollout.id}`),
  })
  return (
    <CourseForm
      about={t('A plan says what each project would receive. Nothing changes until you apply it.')}
      label={t('Plan rollout')}
      refusal={
        unfit ??
        (template.version === 0 ? t('This template has no version yet. Publish it first.') : undefined)
      }
      audiences={audiences}
      candidates={{
        filter: {
          ...reached,
          platform_id: template.platform_id,
          ...(template.tool_key !== null && { tool_key: template.tool_key }),
        },
      }}
      onSubmit={(course) =>
        planning.mutateAsync({
          board_id: template.id,
          version: number,
          card_id: given('card') === '' ? null : Number(given('card')),
          // A filter leaves out projects of other platforms.
          ...(chosen ? { filters: [chosen] } : audience && { audience_id: audience.id }),
          ...course,
        })
      }
    >
      <FieldSelect
        label={t('Template')}
        value={template.id}
        onChange={(event) => change({ template: event.target.value, version: '', card: '' })}
      >
        {templates.map(({ id, title, platform_id }) => (
          <option key={id} value={id}>
            {[title, ...(platforms.has(platform_id) ? [platforms.get(platform_id)] : [])].join(' · ')}
          </option>
        ))}
      </FieldSelect>
      {template.version > 0 && (
        <Content template={template} number={number} card={given('card')} change={change} />
      )}
      {template.has_draft_changes && (
        <p className="plan-about">
          {rich('The draft of this template is not part of a version. <a>Publish it</a> to roll it out.', {
            a: (text) => <Link href={`${base}/templates/${template.id}`}>{text}</Link>,
          })}
        </p>
      )}
      <FieldSelect
        label={t('Projects')}
        value={picked ? 'picked' : filter ? 'filter' : (audience?.id ?? '')}
        hint={
          picked && leftOut === 0 ? undefined : chosen ? (
            <>
              {!picked && filter && <FilterWords filter={filter} />} {leftOut > 0 && leftOutInWords(leftOut)}
            </>
          ) : (
            audience && <Matching id={audience.id} />
          )
        }
        onChange={({ target: { value } }) =>
          value !== 'picked' && value !== 'filter' && change({ audience: value, projects: '', filter: '' })
        }
      >
        <option value="">
          {counted(template.access_count, {
            one: 'All with access ({count} project)',
            other: 'All with access ({count} projects)',
          })}
        </option>
        {picked && (
          <option value="picked">
            {counted(count ?? picked.length, {
              one: '{count} selected project',
              other: '{count} selected projects',
            })}
          </option>
        )}
        {filter && !picked && (
          <option value="filter">
            {count === undefined
              ? t('Projects that match the filter')
              : counted(count, {
                  one: '{count} project that matches the filter',
                  other: '{count} projects that match the filter',
                })}
          </option>
        )}
        {audiences.length > 0 && (
          <optgroup label={t('Audiences')}>
            {audiences.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </optgroup>
        )}
      </FieldSelect>
    </CourseForm>
  )
}

interface ContentProps {
  template: Template
  number: number
  card: string
  change(values: Record<string, string>): void
}

/** The version, and whether all of it or one card is rolled out. */
function Content({ template, number, card, change }: ContentProps) {
  const { data: listed } = useRead(`${admin}/master-boards/versions/list`, {
    board_id: template.id,
    limit: 200,
  })
  const { data: content } = useRead(`${admin}/master-boards/versions/get`, { board_id: template.id, number })
  const cards = content?.board.groups.flatMap((group) => group.cards) ?? []
  return (
    <>
      <FieldSelect
        label={t('Version')}
        value={number}
        onChange={(event) => change({ version: event.target.value, card: '' })}
      >
        {(listed?.versions ?? [{ number, note: '' }]).map((version) => (
          <option key={version.number} value={version.number}>
            {version.note === '' ? version.number : `${version.number} · ${version.note}`}
          </option>
        ))}
      </FieldSelect>
      <FieldSelect label={t('What')} value={card} onChange={(event) => change({ card: event.target.value })}>
        <option value="">{t('The whole template')}</option>
        {cards.map(({ id: cardId, title }) => (
          <option key={cardId} value={cardId}>
            {title}
          </option>
        ))}
      </FieldSelect>
    </>
  )
}

/** How many projects the audience has now. */
function Matching({ id }: { id: number }) {
  const { data } = useRead(`${admin}/audiences/get`, { id }, { refetchOnMount: 'always' })
  return (
    data &&
    counted(data.projects_count, { one: '{count} project matches now', other: '{count} projects match now' })
  )
}

/** A filter of the list of projects, as that page has it in its address. */
const filterOf = (address: string): Filter => {
  const parameters = new URLSearchParams(address)
  return filterIn((parameter) => parameters.get(parameter) ?? '')
}

/** How many of the chosen projects a template of the platform can go to, and how many are on another one. */
function useFitting(chosen: Filter | undefined, platform: number | null) {
  const path = `${admin}/projects/list` as const
  const here = useRead(
    path,
    { ...chosen, platform_id: platform, limit: 1 },
    { refetchOnMount: 'always', enabled: chosen !== undefined },
  )
  const all = useRead(
    path,
    { ...chosen, limit: 1 },
    { refetchOnMount: 'always', enabled: chosen !== undefined && platform !== null },
  )
  const count = here.data?.count ?? undefined
  return { count, leftOut: count === undefined ? 0 : (all.data?.count ?? count) - count }
}

function FilterWords({ filter }: { filter: Filter }) {
  return filterInWords(filter, useChoices()).join(' · ')
}
