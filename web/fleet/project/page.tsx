import { useQuery } from '@tanstack/react-query'
import { ExternalLink, Tag } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin, clientOf, identity } from '../../data/client.ts'
import { OpeningPage } from '../../data/opening-page.tsx'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { roleNames } from '../../identity/role-names.ts'
import { usePlatforms } from '../../projects/platforms.ts'
import { toolName } from '../../projects/tools.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Labels } from '../../ui/labels.tsx'
import { Page } from '../../ui/page.tsx'
import { Ago, fullDay } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { LabelProjects } from '../label-projects.tsx'
import { LastActivity } from '../last-activity.tsx'
import { Progress } from '../progress.tsx'
import { SubscriptionState } from '../subscription-state.tsx'
import type { FleetProject } from '../types.ts'
import { AddProduct } from './add-product.tsx'
import { ArchiveProject } from './archive-project.tsx'
import { Customized } from './customized.tsx'
import { DeleteProject } from './delete-project.tsx'
import { Failed, type FailedRollout } from './failed.tsx'
import './page.css'
import { Reached } from './reached.tsx'
import { RecentAudit } from './recent-audit.tsx'

const path = `${admin}/projects/get` as const

/** One project as its operator sees it. */
export default function ProjectPage() {
  const { base } = useProject()
  const { project: id } = useParams<{ project: string }>()
  const input = { id: Number(id) }
  const query = useRead(path, input)
  useAskAgain(path, 5000, input)
  return (
    <OpeningPage
      query={query}
      title={t('Project')}
      failed={t('The project could not be opened')}
      instead={<ButtonLink href={`${base}/projects`}>{t('Go to projects')}</ButtonLink>}
    >
      {({ project, failed_rollouts: failed }) => <OpenProject project={project} failed={failed} />}
    </OpeningPage>
  )
}

function OpenProject({ project, failed }: { project: FleetProject; failed: readonly FailedRollout[] }) {
  const refusal = useLostConnection()
  const [isLabeling, setLabeling] = useState(false)
  const { id, name, labels, tool_keys, subscriptions, theme } = project
  const { me } = useProject()
  const platform = usePlatforms(me.user.superadmin_platform_id === null).get(project.platform_id)
  return (
    <Page
      title={`${name} · ${t('Project')}`}
      heading={<span dir="auto">{name}</span>}
      actions={
        <>
          <DeleteProject project={project} />
          <ArchiveProject project={project} />
          <Button icon={<Tag />} refusal={refusal} onClick={() => setLabeling(true)}>
            {t('Labels…')}
          </Button>
          <Link href={`/p/${id}/home`} className="button button-primary">
            <ExternalLink aria-hidden="true" />
            <span className="button-label">{t('Open project')}</span>
          </Link>
        </>
      }
    >
      <p className="fleet-about">
        {rich('Project {id}, created {ago} · Last activity: {activity}', {
          id: <span className="numbers">{id}</span>,
          ago: <Ago at={project.created_at} />,
          activity: <LastActivity at={project.active_at} />,
        })}
        {platform !== undefined && ` · ${t('Platform: {name}', { name: platform })}`}
      </p>
      {project.archived_at !== null && (
        <p className="fleet-about">
          {rich('Archived {ago}: it can only be read, and rollouts leave it out.', {
            ago: <Ago at={project.archived_at} />,
          })}
        </p>
      )}
      {labels.length > 0 && (
        <p className="fleet-about">
          <Labels labels={labels} />
        </p>
      )}
      <Section title={t('Progress')}>
        <Templates project={project} />
      </Section>
      <Section title={t('Customized cards')}>
        <Customized projectId={id} />
      </Section>
      <Section title={t('Rollouts')}>
        {failed.length > 0 && <Failed rollouts={failed} />}
        <Reached projectId={id} none={failed.length > 0 ? '' : t('None.')} />
      </Section>
      <Section title={t('Subscriptions')}>
        {subscriptions.length === 0 && <p className="fleet-none">{t('None.')}</p>}
        <ul className="fleet-list">
          {subscriptions.map((subscription) => (
            <li key={subscription.product}>
              <span>
                <SubscriptionState subscription={subscription} />
              </span>
              {subscription.ends_at !== null && (
                <span>{t('until {day}', { day: fullDay(subscription.ends_at) })}</span>
              )}
            </li>
          ))}
        </ul>
        <p className="fleet-about">
          {[
            tool_keys.length > 0 &&
              t('Products: {products}', { products: tool_keys.map(toolName).join(', ') }),
            theme && t('Theme: {theme}', { theme: `${theme.name} ${theme.version}` }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {project.archived_at === null && <AddProduct project={project} />}
      </Section>
      <Section title={t('Members')}>
        <Members projectId={id} isArchived={project.archived_at !== null} />
      </Section>
      <Section title={t('Audit')}>
        <RecentAudit projectId={id} />
      </Section>
      {isLabeling && <LabelProjects projects={[project]} onClose={() => setLabeling(false)} />}
    </Page>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="fleet-section" aria-label={title}>
    <h2>{title}</h2>
    {children}
  </section>
)

function Templates({ project }: { project: FleetProject }) {
  const { base } = useProject()
  const { templates, overdue_count: overdue, customized_count: customized } = project
  if (templates.length === 0) return <p className="fleet-none">{t('It has no cards from templates.')}</p>
  return (
    <>
      <ul className="fleet-list">
        {templates.map(({ id, title, version, cards_count, done_count }) => (
          <li key={id}>
            <Link href={`${base}/templates/${id}`} dir="auto">
              {title}
            </Link>
            {version !== null && <span>{t('Version {version}', { version })}</span>}
            <Progress done={done_count} all={cards_count} />
          </li>
        ))}
      </ul>
      <p className="fleet-about">
        {counted(overdue, {
          one: '{count} template card is overdue',
          other: '{count} template cards are overdue',
        })}
        {' · '}
        {counted(customized, { one: '{count} is customized', other: '{count} are customized' })}
      </p>
    </>
  )
}

/** The people of the project, who can be managed inside of it. */
function Members({ projectId, isArchived }: { projectId: number; isArchived: boolean }) {
  const members = `${identity}/members/list-details` as const
  const query = useQuery({
    queryKey: [0, members, { projectId }],
    queryFn: () => clientOf(projectId).call(members),
  })
  return (
    <Reading query={query} failed={t('The members could not be loaded')}>
      {(read) => (
        <>
          {read.members.length === 0 && <p className="fleet-none">{t('No members yet.')}</p>}
          <ul className="fleet-list">
            {read.members.map(({ user_id, name, email, role }) => (
              <li key={user_id}>
                <bdi>{name}</bdi>
                <span>
                  {email} · {roleNames[role]}
                </span>
              </li>
            ))}
          </ul>
          {!isArchived && <ButtonLink href={`/p/${projectId}/members`}>{t('Manage members')}</ButtonLink>}
        </>
      )}
    </Reading>
  )
}
