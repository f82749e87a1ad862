import { Send } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { formatNumber } from '../../words/locale.ts'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { RolloutBar, RolloutCounts } from './rollout-bar.tsx'
import { RolloutSign } from './rollout-strip.tsx'
import type { Rollout } from './types.ts'
import { isUnderWay, kindNames, statusInWords, versionInText } from './words.ts'
import '../../ui/table.css'
import { Ago } from '../../ui/time.tsx'
import './page.css'

export default function RolloutsPage() {
  const { base } = useProject()
  const [search, setSearch] = useSearchParams()
  const show = search.get('show') === 'running' ? 'running' : 'all'
  const query = usePages(`${admin}/rollouts/list`, show === 'running' ? { is_active: true } : {})
  const rollouts = query.data?.pages.flatMap((page) => page.rollouts)
  const active = query.data?.pages[0]?.active_count ?? 0
  useAskAgain(`${admin}/rollouts/list`, rollouts?.some(isUnderWay) ? 500 : 5000)
  return (
    <Page
      title={t('Rollouts')}
      actions={
        <Link href={`${base}/rollouts/new`} className="button button-primary">
          <Send aria-hidden="true" />
          <span className="button-label">{t('Plan rollout')}</span>
        </Link>
      }
    >
      <div className="rollouts-show">
        <Segments
          label={t('Show')}
          choices={{
            all: t('All'),
            running: active === 0 ? t('Running') : `${t('Running')} ${formatNumber(active)}`,
          }}
          chosen={show}
          onChoose={(chosen) => setSearch(chosen === 'all' ? {} : { show: chosen }, { replace: true })}
        />
      </div>
      <Reading query={{ ...query, data: rollouts }} failed={t('The rollouts could not be loaded')}>
        {(read) =>
          read.length === 0 && show === 'running' ? (
            <Empty title={t('No rollout is running')} />
          ) : read.length === 0 ? (
            <Empty
              title={t('No rollouts yet')}
              action={<ButtonLink href={`${base}/templates`}>{t('Go to templates')}</ButtonLink>}
            >
              {t(
                'Each time you roll out a template or one of its cards, the results are kept here for a year.',
              )}
            </Empty>
          ) : (
            <RolloutTable rollouts={read} />
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </Page>
  )
}

function RolloutTable({ rollouts }: { rollouts: readonly Rollout[] }) {
  return (
    <table className="table rollouts">
      <caption className="visually-hidden">{t('Rollouts, the newest first')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Rollout')}</th>
          <th scope="col" className="rollouts-result">
            {t('Projects')}
          </th>
          <th scope="col" className="table-optional">
            {t('Started')}
          </th>
        </tr>
      </thead>
      <tbody>
        {rollouts.map((rollout) => (
          <RolloutRow key={rollout.id} rollout={rollout} />
        ))}
      </tbody>
    </table>
  )
}

function RolloutRow({ rollout }: { rollout: Rollout }) {
  const { base } = useProject()
  return (
    <tr>
      <th scope="row">
        <div className="rollouts-what">
          <RolloutSign rollout={rollout} />
          <div>
            <Link href={`${base}/rollouts/${rollout.id}`} className="rollouts-link truncate" dir="auto">
              {rollout.title}
            </Link>
            <p className="rollouts-kind">
              {[kindNames[rollout.kind], versionInText(rollout), statusInWords(rollout)].join(' · ')}
            </p>
          </div>
        </div>
      </th>
      <td className="rollouts-result">
        <RolloutBar rollout={rollout} />
        <RolloutCounts rollout={rollout} />
      </td>
      <td className="table-optional rollouts-start">
        <p className="truncate" dir="auto">
          {rollout.created_by_name ?? t('Someone')}
        </p>
        <p className="rollouts-kind">
          {rollout.started_at === null ? (
            rich('Planned {ago}', { ago: <Ago at={rollout.created_at} /> })
          ) : (
            <Ago at={rollout.started_at} />
          )}
        </p>
      </td>
    </tr>
  )
}
