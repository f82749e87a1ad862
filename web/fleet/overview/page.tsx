import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Page } from '../../ui/page.tsx'
import { dayInText } from '../../ui/time.tsx'
import { formatNumber } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { FiguresAge } from '../figures-age.tsx'
import { LastActivity } from '../last-activity.tsx'
import { Progress } from '../progress.tsx'
import { Trend } from '../trend.tsx'
import { percentOf } from './percent.ts'
import './page.css'

const path = `${admin}/overview/get` as const

type Overview = Output<typeof path>['overview']

export default function OverviewPage() {
  const query = useRead(path, {}, { refetchOnMount: 'always' })
  useAskAgain(path, 30_000)
  return (
    <Page title={t('Overview')}>
      <Reading query={query} failed={t('The overview could not be loaded')}>
        {({ overview }) => <Tiles overview={overview} />}
      </Reading>
    </Page>
  )
}

function Tiles({ overview }: { overview: Overview }) {
  const { base } = useProject()
  const { stuck, trials, failing, templates, weeks } = overview
  const to = (id: number) => `${base}/projects/${id}`
  return (
    <>
      <FiguresAge countedAt={overview.as_of} />
      <div className="overview">
        <Tile title={t('Projects')} number={overview.projects_count} href={`${base}/projects`}>
          <Trend
            label={t('Projects at the end of each week')}
            bars={weeks.map(({ week, projects_count: value }) => ({ name: week, value }))}
          />
        </Tile>
        <Tile
          title={t('Active this week')}
          number={overview.active_count}
          href={`${base}/projects?active=7&sort=activity`}
        >
          <p>
            {t('{percent}% of all projects', {
              percent: percentOf(overview.active_count, overview.projects_count),
            })}
          </p>
        </Tile>
        <Tile title={t('Template cards done')} number={overview.done_count}>
          <Trend
            label={t('Template cards done in each week')}
            bars={weeks.map(({ week, done_count: value }) => ({ name: week, value }))}
          />
          <p>
            {t('{percent}% of all · {overdue} overdue', {
              percent: percentOf(overview.done_count, overview.cards_count),
              overdue: formatNumber(overview.overdue_count),
            })}
          </p>
        </Tile>
        <Tile
          title={t('Stuck')}
          number={overview.stuck_count}
          href={`${base}/projects?quiet=14&open=true&sort=activity&order=ascending`}
        >
          <p>{t('Open template cards, and no activity for 14 days')}</p>
          <ul>
            {stuck.map(({ id, name, active_at }) => (
              <li key={id}>
                <Link href={to(id)} className="truncate" dir="auto">
                  {name}
                </Link>
                <LastActivity at={active_at} />
              </li>
            ))}
          </ul>
        </Tile>
        <Tile
          title={t('Trials ending in 7 days')}
          number={overview.trials_count}
          href={`${base}/projects?trial=7`}
        >
          {trials.length === 0 && <p>{t('No trial ends in this time.')}</p>}
          <ul>
            {trials.map(({ id, name, trial_ends_at }) => (
              <li key={id}>
                <Link href={to(id)} className="truncate" dir="auto">
                  {name}
                </Link>
                <span>{dayInText(trial_ends_at)}</span>
              </li>
            ))}
          </ul>
        </Tile>
        <Tile title={t('Failing checks')} number={overview.failing_count}>
          {failing.length === 0 && <p>{t('No check of a template card fails.')}</p>}
          <ul>
            {failing.map(({ card_id, board_id, title, projects_count: count }) => (
              <li key={card_id}>
                <Link href={`${base}/roll-ups/${board_id}`} className="truncate" dir="auto">
                  {title}
                </Link>
                <span>{counted(count, { one: '{count} project', other: '{count} projects' })}</span>
              </li>
            ))}
          </ul>
        </Tile>
        <Tile title={t('Templates')} number={templates.length} href={`${base}/templates`}>
          {templates.length === 0 && <p>{t('No templates yet')}</p>}
          <ul className="overview-templates">
            {templates.map(({ id, title, projects_count, access_count }) => (
              <li key={id}>
                <Link href={`${base}/roll-ups/${id}`} className="truncate" dir="auto">
                  {title}
                </Link>
                <Progress
                  done={projects_count}
                  all={access_count}
                  none={t('No projects')}
                  tip={t('{done} of {all} projects have it', { done: projects_count, all: access_count })}
                />
              </li>
            ))}
          </ul>
        </Tile>
        <RunningRollouts />
      </div>
    </>
  )
}

interface TileProps {
  title: string
  number: number
  /** The list behind the number. */
  href?: string
  children: ReactNode
}

const Tile = ({ title, number, href, children }: TileProps) => (
  <section className="overview-tile" aria-label={title}>
    <h2>{href === undefined ? title : <Link href={href}>{title}</Link>}</h2>
    <p className="overview-number numbers">{formatNumber(number)}</p>
    {children}
  </section>
)

const mostShown = 5

function RunningRollouts() {
  const { base } = useProject()
  const { data } = useRead(
    `${admin}/rollouts/list`,
    { is_active: true, limit: mostShown },
    { refetchOnMount: 'always' },
  )
  useAskAgain(`${admin}/rollouts/list`, 5000)
  return (
    <Tile
      title={t('Running rollouts')}
      number={data?.active_count ?? 0}
      href={`${base}/rollouts?show=running`}
    >
      {data?.active_count === 0 && <p>{t('No rollout is running')}</p>}
      <ul>
        {data?.rollouts.map(({ id, title, status, counts }) => (
          <li key={id}>
            <Link href={`${base}/rollouts/${id}`} className="truncate" dir="auto">
              {title}
            </Link>
            <span>
              {[
                ...(status === 'paused' ? [t('Paused')] : []),
                counted(counts.pending, {
                  one: '{count} project waiting',
                  other: '{count} projects waiting',
                }),
              ].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </Tile>
  )
}
