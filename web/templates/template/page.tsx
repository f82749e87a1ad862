import { History, Send, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useParams, useRoute } from 'wouter'
import { cardOf } from '../../boards/arrangement.ts'
import { Opening } from '../../boards/board/opening.tsx'
import { useArranging } from '../../boards/group/group-actions.ts'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { DraftScope } from '../../drafts/draft-scope.tsx'
import { EditableText } from '../../drafts/editable-text.tsx'
import { sayingReplaced } from '../../drafts/replacing.ts'
import { toolName } from '../../projects/tools.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { Page } from '../../ui/page.tsx'
import { OptionalSign } from '../../ui/sign.tsx'
import { Ago } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { CoverageStates } from '../coverage.tsx'
import { TemplateMenu } from '../manage.tsx'
import { RolloutStrip } from '../rollouts/rollout-strip.tsx'
import type { Rollout } from '../rollouts/types.ts'
import { isPlan, isUnderWay, leftOver } from '../rollouts/words.ts'
import type { MasterBoard as MasterBoardData } from '../types.ts'
import { type HistoryPage, historyPages } from './history-pages.ts'
import { MasterBoard } from './master-board.tsx'
import { Publish } from './publishing.tsx'
import { type RollingOut, useRollingOut } from './rolling-out.tsx'
import '../../boards/board/page.css'
import './page.css'

const MasterCardPanel = loadable(() => import('./master-card-panel.tsx'))
const SettingsPanel = loadable(() => import('./settings-panel.tsx'))
const HistoryPanel = loadable(() => import('./history-panel.tsx'))
const VersionView = loadable(() => import('./version-view.tsx'))
const DeletedTemplate = loadable(() => import('./deleted-template.tsx'))

export default function TemplatePage() {
  const { base } = useProject()
  const id = Number(useParams<{ template: string }>().template)
  const read = useRead(`${admin}/master-boards/get`, { id })
  useAskAgain(`${admin}/master-boards/get`, 1000)
  const isMissing = failureOf(read.error).code === 'master_board_not_found'
  const { deleted, isAsking } = useDeleted(id, isMissing)
  if (deleted) return <DeletedTemplate template={deleted} />
  const query = isAsking ? { ...read, data: undefined, error: null } : read
  return (
    <Opening query={query} noun="template" listPath={`${base}/templates`}>
      {({ board }) => (
        <DraftScope of={`template ${board.id}`}>
          <OpenTemplate key={board.id} board={board} />
        </DraftScope>
      )}
    </Opening>
  )
}

/** Finds a missing template in the trash; asks only if `isMissing`. */
function useDeleted(id: number, isMissing: boolean) {
  const { data, isFetching } = useRead(
    `${admin}/trash/list`,
    { board_id: id },
    { enabled: isMissing, refetchOnMount: 'always' },
  )
  const found = data?.things.find(({ kind, thing_id }) => kind === 'template' && thing_id === id)
  const deleted = isMissing ? found : undefined
  return { deleted, isAsking: isMissing && isFetching && deleted === undefined }
}

function OpenTemplate({ board }: { board: MasterBoardData }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const path = `${base}/templates/${board.id}`
  const [, cardParams] = useRoute('/operator/templates/:template/cards/:card')
  const [isSettings] = useRoute('/operator/templates/:template/settings')
  const [isDraft] = useRoute('/operator/templates/:template/draft')
  const [isVersion, version] = useRoute('/operator/templates/:template/versions/:number')
  const [, other] = useRoute('/operator/templates/:template/:page')
  const historyPage = historyPages.find((page) => page === other?.page)
  const openCardId = cardParams ? Number(cardParams.card) : undefined
  const [returnTo, setReturnTo] = useState<number>()
  const opened = isSettings
    ? t('Settings')
    : historyPage
      ? t('History')
      : isDraft
        ? t('Draft changes')
        : isVersion
          ? t('Version {version}', { version: version.number })
          : openCardId && cardOf(board, openCardId)?.title
  const tabTitle = opened ? `${opened} · ${board.title}` : board.title
  const close = () => {
    setReturnTo(openCardId)
    navigate(path)
  }
  const { rollingOut, question } = useRollingOut(board)
  return (
    <Page
      title={tabTitle}
      width="all"
      heading={<TemplateTitle board={board} />}
      actions={
        <TemplateActions
          board={board}
          rollingOut={rollingOut}
          isSettings={isSettings}
          historyPage={historyPage}
        />
      }
      below={<Reach board={board} />}
    >
      <div className="board-and-panel">
        {isDraft || isVersion ? (
          <VersionView
            key={isVersion ? version.number : 'draft'}
            board={board}
            number={isVersion ? Number(version.number) : null}
            path={path}
          />
        ) : (
          <MasterBoard
            board={board}
            rollingOut={rollingOut}
            openCardId={openCardId}
            returnTo={openCardId === undefined ? returnTo : undefined}
            path={path}
          />
        )}
        {openCardId !== undefined && (
          <MasterCardPanel
            key={openCardId}
            cardId={openCardId}
            board={board}
            rollingOut={rollingOut}
            onClose={close}
          />
        )}
        {isSettings && <SettingsPanel board={board} onClose={() => navigate(path)} />}
        {historyPage && (
          <HistoryPanel board={board} shown={historyPage} path={path} onClose={() => navigate(path)} />
        )}
      </div>
      {question}
    </Page>
  )
}

function TemplateTitle({ board }: { board: MasterBoardData }) {
  const { saveBoard } = useArranging(board.id, 'master')
  return (
    <>
      <OptionalSign icon={board.icon} color={board.color} />
      <EditableText
        value={board.title}
        label={t('Rename the template {title}', { title: board.title })}
        place={`title of template ${board.id}`}
        refusal={useLostConnection()}
        onSave={sayingReplaced(board.title, (title) => saveBoard({ id: board.id, title }))}
      />
    </>
  )
}

interface ActionsProps {
  board: MasterBoardData
  rollingOut: RollingOut
  isSettings: boolean
  historyPage: HistoryPage | undefined
}

function TemplateActions({ board, rollingOut, isSettings, historyPage }: ActionsProps) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const refusal = useLostConnection()
  const path = `${base}/templates/${board.id}`
  return (
    <>
      <IconButton
        label={t('History')}
        icon={<History />}
        aria-pressed={historyPage !== undefined}
        onClick={() => navigate(historyPage === undefined ? `${path}/versions` : path)}
      />
      <IconButton
        label={t('Settings')}
        icon={<Settings2 />}
        aria-pressed={isSettings}
        onClick={() => navigate(isSettings ? path : `${path}/settings`)}
      />
      <TemplateMenu
        template={board}
        label={t('Actions for this template')}
        onDeleted={() => navigate(`${base}/templates`)}
      />
      {board.has_draft_changes && <Publish board={board} refusal={refusal} />}
      <Button
        look="primary"
        className="template-roll-out"
        icon={<Send />}
        refusal={rollingOut.templateRefusal}
        isBusy={rollingOut.isRollingOut}
        onClick={rollingOut.rollOutTemplate}
      >
        {rollingOut.label}
      </Button>
    </>
  )
}

/** The coverage of a template, and its running or recent rollouts. */
function Reach({ board }: { board: MasterBoardData }) {
  const { base } = useProject()
  const { data } = useRead(`${admin}/rollouts/list`, { board_id: board.id, limit: 20 })
  // A plan is not a rollout yet.
  const rollouts = data?.rollouts.filter((rollout) => !isPlan(rollout)) ?? []
  useAskAgain(`${admin}/rollouts/list`, rollouts.some(isUnderWay) ? 500 : 2000)
  const { shown, isNew, dismiss } = useRecent(data && rollouts)
  const last = rollouts[0]
  return (
    <>
      <ul className="template-reach numbers">
        <li>
          {board.tool_key === null
            ? t('For all projects')
            : t('For projects with {product}', { product: toolName(board.tool_key) })}
        </li>
        <li>
          {counted(
            board.access_count,
            { one: 'In {covered} of {count} project', other: 'In {covered} of {count} projects' },
            { covered: board.covered_count },
          )}
        </li>
        <CoverageStates coverage={board} />
        <li>
          <Link href={`${base}/roll-ups/${board.id}`} className="template-last">
            {t('Progress of all projects')}
          </Link>
        </li>
        <li>
          <Link href={`${base}/rollouts/new?template=${board.id}`} className="template-last">
            {t('Plan rollout')}
          </Link>
        </li>
        <li>
          <Link href={`${base}/templates/${board.id}/customized`} className="template-last">
            {t('Customized')}
          </Link>
        </li>
        {!board.is_active && <li className="template-inactive">{t('Inactive')}</li>}
        <li>
          <VersionState board={board} />
        </li>
        <li>
          {last ? (
            <Link href={`${base}/rollouts/${last.id}`} className="template-last">
              {rich('Last rollout {ago}', { ago: <Ago at={last.started_at ?? last.created_at} /> })}
            </Link>
          ) : (
            t('No rollout yet')
          )}
        </li>
      </ul>
      {shown.length > 0 && (
        <div className="template-rollouts">
          {shown.map((rollout) => (
            <RolloutStrip
              key={rollout.id}
              rollout={rollout}
              isNew={isNew(rollout)}
              onDismiss={() => dismiss(rollout.id)}
            />
          ))}
        </div>
      )}
    </>
  )
}

/** The newest version of a template, or that it differs from it. */
function VersionState({ board }: { board: MasterBoardData }) {
  const { base } = useProject()
  const path = `${base}/templates/${board.id}`
  if (board.version === 0) return <span className="template-draft">{t('Draft, never published')}</span>
  return board.has_draft_changes ? (
    <Link href={`${path}/draft`} className="template-last template-draft">
      {t('Draft changes')}
    </Link>
  ) : (
    <Link href={`${path}/versions/${board.version}`} className="template-last">
      {t('Version {version}', { version: board.version })}
    </Link>
  )
}

/** Running rollouts, and the last one if it ends while the page is open or left projects out. */
function useRecent(rollouts: readonly Rollout[] | undefined) {
  const [known, setKnown] = useState<ReadonlySet<number>>()
  const [newestAtOpening, setNewestAtOpening] = useState(0)
  const ended = rollouts?.filter((rollout) => !isUnderWay(rollout)) ?? []
  // Rollouts that ended before the page was opened are not shown, unless projects are left.
  if (known === undefined && rollouts) {
    setKnown(new Set(ended.filter((rollout) => leftOver(rollout) === 0).map(({ id }) => id)))
    setNewestAtOpening(rollouts[0]?.id ?? 0)
  }
  const shown = (rollouts ?? []).filter(
    (rollout, index) => isUnderWay(rollout) || (index === 0 && known?.has(rollout.id) === false),
  )
  const dismiss = (id: number) => setKnown((before) => new Set([...(before ?? []), id]))
  const isNew = ({ id }: Rollout) => id > newestAtOpening
  return { shown: shown.slice(0, 2), isNew, dismiss }
}
