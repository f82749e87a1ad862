import { priorityNames, statusName } from '../../boards/signs.tsx'
import { Ago } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import type { MasterBoard, Revision } from '../types.ts'

interface Props {
  revisions: readonly Revision[]
  /** True if older ones are not loaded yet. */
  hasOlder: boolean
  board: MasterBoard
}

/** The history of a master card, newest first. The oldest one's change is unknown until the one before it is loaded. */
export function Revisions({ revisions, hasOlder, board }: Props) {
  return (
    <ol className="revisions">
      {(hasOlder ? revisions.slice(0, -1) : revisions).map((revision, index) => (
        <li key={revision.revision}>
          <span className="revision-number numbers">
            {revision.version !== null &&
              rich('<hidden>Version </hidden>{number}', {
                hidden: (text) => <span className="visually-hidden">{text}</span>,
                number: String(revision.version),
              })}
          </span>
          <p>
            {rich('{name} {changes} {ago}', {
              name: <strong dir="auto">{revision.created_by_name ?? t('Someone')}</strong>,
              changes: changeInWords(revision, revisions[index + 1], board),
              ago: <Ago at={revision.created_at} />,
            })}
          </p>
        </li>
      ))}
    </ol>
  )
}

const words: Partial<Record<keyof Revision, { changed: string; cleared: string }>> = {
  description: { changed: t('changed the description'), cleared: t('cleared the description') },
  short_description: {
    changed: t('changed the short description'),
    cleared: t('cleared the short description'),
  },
  unique_identifier: { changed: t('changed the identifier'), cleared: t('cleared the identifier') },
  evaluation_check: { changed: t('changed the check'), cleared: t('cleared the check') },
  tour_key: { changed: t('changed the tour key'), cleared: t('cleared the tour key') },
}

function changeInWords(now: Revision, before: Revision | undefined, board: MasterBoard): string {
  if (!before) return t('created it')
  if (now.is_deleted !== before.is_deleted) return now.is_deleted ? t('deleted it') : t('restored it')
  const group = board.groups.find(({ id }) => id === now.group_id)?.title
  const changes = [
    now.title !== before.title && t('changed the title to “{title}”', { title: now.title }),
    now.status !== before.status && t('set the status to {status}', { status: statusName(now.status) }),
    now.priority !== before.priority &&
      t('set the priority to {priority}', { priority: priorityNames[now.priority] }),
    now.is_active !== before.is_active && (now.is_active ? t('activated it') : t('deactivated it')),
    now.needs_confirmation !== before.needs_confirmation &&
      (now.needs_confirmation
        ? t('made a person confirm passed checks')
        : t('let passed checks mark it Done')),
    now.group_id !== before.group_id &&
      (group === undefined ? t('moved it to another group') : t('moved it to {group}', { group })),
    ...(Object.keys(words) as (keyof Revision)[])
      .filter((field) => now[field] !== before[field])
      .map((field) => words[field]?.[now[field] === null ? 'cleared' : 'changed']),
  ].filter((change) => change !== false)
  return changes.length > 0 ? changes.join(', ') : t('moved it')
}
