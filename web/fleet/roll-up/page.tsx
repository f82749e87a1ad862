import { Download } from 'lucide-react'
import { useState } from 'react'
import { useParams, useSearchParams } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin, type Output } from '../../data/client.ts'
import { OpeningPage } from '../../data/opening-page.tsx'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Segments } from '../../ui/segments.tsx'
import { formatNumber } from '../../words/locale.ts'
import { counted, t } from '../../words/words.ts'
import { FiguresAge } from '../figures-age.tsx'
import { measureNames, otherOnes, states } from '../measures.ts'
import { Trend } from '../trend.tsx'
import { CardHeading } from './card-heading.tsx'
import { downloadCsv } from './csv.ts'
import { Funnel } from './funnel.tsx'
import { ProjectsBehind } from './projects-behind.tsx'
import '../states.css'
import './page.css'

const path = `${admin}/roll-ups/get` as const

type RollUp = Output<typeof path>['roll_up']
type RolledUpCard = RollUp['cards'][number]
type Measure = keyof RolledUpCard['counts']

/** How far all projects are with a template. */
export default function RollUpPage() {
  const { base } = useProject()
  const { template } = useParams<{ template: string }>()
  const input = { board_id: Number(template) }
  const query = useRead(path, input, { refetchOnMount: 'always' })
  useAskAgain(path, 15_000, input)
  return (
    <OpeningPage
      query={query}
      title={t('Progress')}
      failed={t('The progress could not be loaded')}
      instead={<ButtonLink href={`${base}/templates`}>{t('Go to templates')}</ButtonLink>}
    >
      {(data) => <OpenRollUp rollUp={data.roll_up} />}
    </OpeningPage>
  )
}

function OpenRollUp({ rollUp }: { rollUp: RollUp }) {
  const { base } = useProject()
  const { title, cards, weeks, projects_count: projects } = rollUp
  const [behind, setBehind] = useState<{ card: RolledUpCard; measure: Measure }>()
  const [search, setSearch] = useSearchParams()
  const view = search.get('view') === 'funnel' ? 'funnel' : 'states'
  return (
    <Page
      title={`${title} · ${t('Progress')}`}
      heading={<span dir="auto">{title}</span>}
      actions={
        <IconButton
          label={t('Download CSV')}
          icon={<Download />}
          onClick={() => downloadCsv(title, cards, weeks)}
        />
      }
    >
      <p className="roll-up-about">
        {counted(projects, {
          one: '{count} project has this template',
          other: '{count} projects have this template',
        })}
      </p>
      <FiguresAge />
      <div className="roll-up-views">
        <Segments
          label={t('View')}
          choices={{ states: t('States'), funnel: t('Funnel') }}
          chosen={view}
          onChoose={(chosen) => setSearch(chosen === 'funnel' ? { view: chosen } : {}, { replace: true })}
        />
        <ButtonLink href={`${base}/templates/${rollUp.board_id}/customized`}>{t('Customized')}</ButtonLink>
        <ButtonLink href={`${base}/templates/${rollUp.board_id}`}>{t('Go to template')}</ButtonLink>
      </div>
      {view === 'funnel' ? (
        <Funnel rollUp={rollUp} onOpen={(card, measure) => setBehind({ card, measure })} />
      ) : (
        <States rollUp={rollUp} onOpen={(card, measure) => setBehind({ card, measure })} />
      )}
      {behind && <ProjectsBehind {...behind} onClose={() => setBehind(undefined)} />}
    </Page>
  )
}

export interface ViewProps {
  rollUp: RollUp
  onOpen(card: RolledUpCard, measure: Measure): void
}

/** The state of each card in all projects, as stacked bars. */
function States({ rollUp, onOpen }: ViewProps) {
  const { cards, weeks } = rollUp
  return (
    <>
      <ul className="roll-up-legend">
        {states.map((state) => (
          <li key={state}>
            <span className="roll-up-mark" data-state={state} aria-hidden="true" />
            {measureNames[state]}
          </li>
        ))}
      </ul>
      <table className="roll-up">
        <caption className="visually-hidden">{t('Template cards')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Card')}</th>
            <th scope="col">{t('Projects')}</th>
            <th scope="col">{t('Also')}</th>
            <th scope="col">{t('Median days')}</th>
            <th scope="col">{t('Last 12 weeks')}</th>
          </tr>
        </thead>
        <tbody>
          {cards.map((card) => (
            <tr key={card.id}>
              <CardHeading boardId={rollUp.board_id} card={card} />
              <td>
                <StackedBar card={card} onOpen={(measure) => onOpen(card, measure)} />
              </td>
              <td>
                <Others card={card} onOpen={(measure) => onOpen(card, measure)} />
              </td>
              <td className="numbers">{card.median_days === null ? '–' : formatNumber(card.median_days)}</td>
              <td className="roll-up-trend">
                <Trend
                  label={t('{count} done', { count: formatNumber(card.counts.done) })}
                  bars={card.trend.map((value, index) => ({ name: weeks[index] ?? '', value }))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

interface BarProps {
  card: RolledUpCard
  onOpen(measure: Measure): void
}

/** Each number opens the projects behind it. The parts are drawn apart from the numbers, because small ones have no room for theirs. */
function StackedBar({ card, onOpen }: BarProps) {
  const shown = states.filter((state) => card.counts[state] > 0)
  if (shown.length === 0) return '–'
  return (
    <>
      <div className="roll-up-bar" aria-hidden="true">
        {shown.map((state) => (
          <span key={state} data-state={state} style={{ flexGrow: card.counts[state] }} />
        ))}
      </div>
      <div className="roll-up-counts">
        {shown.map((state) => {
          const count = formatNumber(card.counts[state])
          const label = t('{state}: {count}', { state: measureNames[state], count })
          return (
            <button
              key={state}
              type="button"
              aria-label={label}
              data-tip={label}
              onClick={() => onOpen(state)}
            >
              <span className="roll-up-mark" data-state={state} aria-hidden="true" />
              <span className="numbers" aria-hidden="true">
                {count}
              </span>
            </button>
          )
        })}
      </div>
    </>
  )
}

const Others = ({ card, onOpen }: BarProps) => (
  <ul className="roll-up-others">
    {otherOnes
      .filter((measure) => card.counts[measure] > 0)
      .map((measure) => (
        <li key={measure}>
          <button type="button" onClick={() => onOpen(measure)}>
            {t('{state}: {count}', {
              state: measureNames[measure],
              count: formatNumber(card.counts[measure]),
            })}
          </button>
        </li>
      ))}
  </ul>
)
