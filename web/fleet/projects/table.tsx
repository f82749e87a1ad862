import { Archive } from 'lucide-react'
import { Link } from 'wouter'
import { useProject } from '../../data/project.tsx'
import { usePlatforms } from '../../projects/platforms.ts'
import { toolName } from '../../projects/tools.ts'
import { Badge } from '../../ui/badge.tsx'
import { Labels } from '../../ui/labels.tsx'
import { Ago } from '../../ui/time.tsx'
import { formatNumber } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { type Column, FleetTable } from '../fleet-table.tsx'
import { LastActivity } from '../last-activity.tsx'
import { Progress } from '../progress.tsx'
import { SubscriptionState } from '../subscription-state.tsx'
import type { FleetProject } from '../types.ts'
import type { Filters, Sort } from './filters.ts'
import { RestoreProject } from './restore-project.tsx'

const columns: readonly Column<FleetProject, Sort>[] = [
  {
    label: t('Project'),
    sort: 'name',
    width: 'minmax(min(188px, 34vw), 1fr)',
    className: 'fleet-name',
    isName: true,
    cell: (project) => <Name project={project} />,
  },
  {
    label: t('Progress'),
    sort: 'progress',
    width: '130px',
    cell: (project) =>
      project.deleted_at === null ? (
        <Progress done={project.done_count} all={project.cards_count} />
      ) : (
        <RestoreProject project={project} />
      ),
  },
  {
    label: t('Templates'),
    width: 'minmax(166px, 0.6fr)',
    className: 'fleet-templates',
    isOptional: true,
    cell: ({ templates }) => <Templates templates={templates} />,
  },
  {
    label: t('Last activity'),
    sort: 'activity',
    width: '106px',
    isOptional: true,
    cell: ({ active_at }) => <LastActivity at={active_at} />,
  },
  {
    label: t('Subscription'),
    width: 'minmax(140px, 226px)',
    className: 'fleet-subscriptions',
    isOptional: true,
    cell: ({ subscriptions }) =>
      subscriptions.map((subscription) => (
        <SubscriptionState key={subscription.product} subscription={subscription} />
      )),
  },
  {
    label: t('Members'),
    width: '72px',
    className: 'fleet-number numbers',
    isOptional: true,
    isWide: true,
    cell: ({ members_count: members }) => formatNumber(members),
  },
  {
    label: t('Created'),
    sort: 'created',
    width: '108px',
    className: 'fleet-day',
    isOptional: true,
    isWide: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
]

/** As many lines as a row has room for. */
const mostTemplates = 2

/** The progress with each template, and which version of it the project has. */
function Templates({ templates }: Pick<FleetProject, 'templates'>) {
  const shown = templates.length > mostTemplates ? templates.slice(0, mostTemplates - 1) : templates
  const others = templates.slice(shown.length)
  return (
    <>
      {shown.map((template) => (
        <span key={template.id} className="fleet-template" data-tip={templateInWords(template)}>
          <span className="truncate" dir="auto">
            {template.title}
          </span>
          <span className="numbers" aria-hidden="true">
            {template.done_count}/{template.cards_count}
            {template.version !== null && ` · v${template.version}`}
          </span>
          <span className="visually-hidden">{templateInWords(template)}</span>
        </span>
      ))}
      {others.length > 0 && (
        <span className="fleet-template" data-tip={others.map(templateInWords).join(' · ')}>
          {counted(others.length, { one: '{count} more template', other: '{count} more templates' })}
        </span>
      )}
    </>
  )
}

function templateInWords({
  title,
  version,
  done_count: done,
  cards_count: all,
}: FleetProject['templates'][number]): string {
  return version === null
    ? t('{title}: {done} of {all} cards done', { title, done, all })
    : t('{title}, version {version}: {done} of {all} cards done', { title, version, done, all })
}

interface Props {
  projects: readonly FleetProject[]
  /** How many match in all. */
  count: number
  filters: Pick<Filters, 'sort' | 'isDescending' | 'sortBy'>
  selected: ReadonlySet<number>
  onSelect(selected: ReadonlySet<number>): void
  /** Loads the next page, if there is one. */
  onEnd: (() => void) | undefined
}

export const ProjectTable = ({ projects, filters, ...rest }: Props) => (
  <FleetTable
    label={t('Projects')}
    rows={projects}
    columns={columns}
    nameOf={({ name }) => name}
    order={filters}
    {...rest}
  />
)

function Name({
  project: { id, name, platform_id, labels, tool_keys, deleted_at, archived_at },
}: {
  project: FleetProject
}) {
  const { base, me } = useProject()
  const platforms = usePlatforms(me.user.superadmin_platform_id === null)
  const [main] = platforms.keys()
  // Nearly all projects are on the first one, so its name would say nothing in each row.
  const platform = platform_id === main ? undefined : platforms.get(platform_id)
  return (
    <>
      {deleted_at !== null ? (
        <span className="fleet-link truncate" dir="auto">
          {name}
        </span>
      ) : (
        <Link href={`${base}/projects/${id}`} className="fleet-link truncate" dir="auto">
          {name}
        </Link>
      )}
      <span className="fleet-note truncate">
        {archived_at !== null && (
          <>
            <Badge hue="gray" icon={<Archive aria-hidden="true" />}>
              {t('Archived')}
            </Badge>{' '}
          </>
        )}
        <Labels labels={labels} />
        {labels.length === 0 && tool_keys.map(toolName).join(', ')}
        {/* Last, because it is what the fewest rows differ in, and what is cut off first. */}
        {platform !== undefined && <span className="fleet-platform">{platform}</span>}
      </span>
    </>
  )
}
