import { Link, useLocation } from 'wouter'
import { admin, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Segments } from '../../ui/segments.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { formatNumber } from '../../words/locale.ts'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { DeletedThings } from '../trash/deleted-things.tsx'
import type { MasterBoard } from '../types.ts'
import { fieldInText } from './field-names.ts'
import type { HistoryPage } from './history-pages.ts'
import './history-panel.css'

interface Props {
  board: MasterBoard
  shown: HistoryPage
  path: string
  onClose(): void
}

/** The versions of a template, its log, and what was deleted from it. */
export default function HistoryPanel({ board, shown, path, onClose }: Props) {
  const [, navigate] = useLocation()
  return (
    <Panel label={t('History')} heading={<h2>{t('History')}</h2>} onClose={onClose}>
      <Segments<HistoryPage>
        label={t('Show')}
        choices={{ versions: t('Versions'), log: t('Log'), trash: t('Deleted') }}
        chosen={shown}
        onChoose={(page) => navigate(`${path}/${page}`)}
      />
      {shown === 'versions' && <Versions board={board} path={path} />}
      {shown === 'log' && <Log board={board} path={path} />}
      {shown === 'trash' && <DeletedThings boardId={board.id} />}
    </Panel>
  )
}

function Versions({ board, path }: { board: MasterBoard; path: string }) {
  const query = usePages(`${admin}/master-boards/versions/list`, { board_id: board.id })
  const versions = query.data?.pages.flatMap((page) => page.versions)
  return (
    <>
      <Reading query={{ ...query, data: versions }} failed={t('The versions could not be loaded')}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('No versions yet')}>
              {t('This template is a draft. Projects receive it once it is published.')}
            </Empty>
          ) : (
            <ol className="history" aria-label={t('Versions')}>
              {board.has_draft_changes && (
                <li>
                  <Link href={`${path}/draft`}>{t('Draft changes')}</Link>
                  <p className="history-note">{t('Not published yet')}</p>
                </li>
              )}
              {all.map((version) => (
                <li key={version.number}>
                  <Link href={`${path}/versions/${version.number}`}>
                    {t('Version {version}', { version: version.number })}
                  </Link>
                  <p className="history-note">
                    {rich('{name} {ago}', {
                      name: <span dir="auto">{version.created_by_name ?? t('Someone')}</span>,
                      ago: <Ago at={version.created_at} />,
                    })}
                  </p>
                  {version.note !== '' && <p dir="auto">{version.note}</p>}
                </li>
              ))}
            </ol>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}

type Entry = Output<`${typeof admin}/master-boards/log/list`>['entries'][number]
type Change = Entry['changes'][number]

function Log({ board, path }: { board: MasterBoard; path: string }) {
  const query = usePages(`${admin}/master-boards/log/list`, { board_id: board.id })
  const entries = query.data?.pages.flatMap((page) => page.entries)
  return (
    <>
      <Reading query={{ ...query, data: entries }} failed={t('The log could not be loaded')}>
        {(all) => (
          <ol className="history" aria-label={t('Log')}>
            {all.map((entry) => (
              <li key={`${entry.kind} ${entry.id} ${entry.rollout_id}`}>
                <p>
                  {rich('{name} {changes} {ago}', {
                    name: <strong dir="auto">{entry.created_by_name ?? t('Someone')}</strong>,
                    changes: <EntryWords entry={entry} path={path} />,
                    ago: <Ago at={entry.created_at} />,
                  })}
                </p>
                {entry.changes.length > 1 && <AllChanges entry={entry} />}
                {entry.note !== null && entry.note !== '' && (
                  <p className="history-note" dir="auto">
                    {entry.note}
                  </p>
                )}
              </li>
            ))}
          </ol>
        )}
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}

function EntryWords({ entry, path }: { entry: Entry; path: string }) {
  const { base } = useProject()
  if (entry.kind === 'version')
    return rich('published <a>version {version}</a>', {
      a: (text) => <Link href={`${path}/versions/${entry.version}`}>{text}</Link>,
      version: String(entry.version),
    })
  if (entry.kind === 'rollout')
    return <Link href={`${base}/rollouts/${entry.rollout_id}`}>{rolloutInWords(entry)}</Link>
  const [first] = entry.changes
  const change = first ? changeInWords(first) : ''
  const others = entry.changes_count - 1
  return others > 0
    ? counted(others, { one: '{change} and {count} other', other: '{change} and {count} others' }, { change })
    : change
}

/** What was changed at once, by restoring a version or deleting a group. */
function AllChanges({ entry: { changes, changes_count: count } }: { entry: Entry }) {
  const others = count - changes.length
  return (
    <details className="history-note">
      <summary>{t('Show all {count}', { count: formatNumber(count) })}</summary>
      <ul aria-label={t('All changes')}>
        {changes.map((change) => (
          <li key={`${change.thing} ${change.thing_id}`} dir="auto">
            {changeInWords(change)}
          </li>
        ))}
      </ul>
      {others > 0 && <p>{counted(others, { one: 'and {count} other', other: 'and {count} others' })}</p>}
    </details>
  )
}

function rolloutInWords({ rollout_kind: kind, title: named, version, ...entry }: Entry): string {
  const title = named ?? ''
  if (kind === 'removal')
    return counted(
      entry.projects_count ?? 0,
      { one: 'deleted “{title}” from {count} project', other: 'deleted “{title}” from {count} projects' },
      { title },
    )
  if (kind === 'reset') return t('reset “{title}” to the template', { title })
  // Null or 0 for a rollout from before there were versions.
  if (!version) {
    if (kind === 'revert') return t('reverted a rollout', { as: 'history' })
    return kind === 'card' ? t('rolled out the card “{title}”', { title }) : t('rolled out the template')
  }
  if (kind === 'revert') return t('reverted the rollout of version {version}', { version })
  return kind === 'card'
    ? t('rolled out the card “{title}” (version {version})', { title, version })
    : t('rolled out version {version}', { version })
}

function changeInWords({ thing, title, action, fields }: Change): string {
  if (thing === 'template') {
    if (action === 'created') return t('created the template')
    if (action === 'deleted') return t('deleted the template')
    if (action === 'restored') return t('restored the template')
    return t('changed the template: {fields}', { fields: inWords(fields) })
  }
  if (action === 'created') return t('added “{title}”', { title })
  if (action === 'deleted') return t('deleted “{title}”', { title })
  if (action === 'restored') return t('restored “{title}”', { title })
  if (action === 'moved') return t('moved “{title}”', { title })
  return t('changed “{title}”: {fields}', { title, fields: inWords(fields) })
}

const inWords = (fields: readonly string[]) => fields.map(fieldInText).join(', ')
