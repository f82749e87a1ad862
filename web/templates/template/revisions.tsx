import { priorityNames, statusName } from '../../boards/signs.tsx'
import { Ago } from '../../ui/time.tsx'
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
            <span className="visually-hidden">Version </span>
            {revision.revision}
          </span>
          <p>
            <strong dir="auto">{revision.created_by_name ?? 'Someone'}</strong>{' '}
            {changeInWords(revision, revisions[index + 1], board)} <Ago at={revision.created_at} />
          </p>
        </li>
      ))}
    </ol>
  )
}

const words: Partial<Record<keyof Revision, string>> = {
  description: 'the description',
  short_description: 'the short description',
  unique_identifier: 'the identifier',
  evaluation_check: 'the check',
  tour_key: 'the tour key',
}

function changeInWords(now: Revision, before: Revision | undefined, board: MasterBoard): string {
  if (!before) return 'created it'
  if (now.is_deleted !== before.is_deleted) return now.is_deleted ? 'deleted it' : 'restored it'
  const group = board.groups.find(({ id }) => id === now.group_id)?.title ?? 'another group'
  const changes = [
    now.title !== before.title && `changed the title to “${now.title}”`,
    now.status !== before.status && `set the status to ${statusName(now.status)}`,
    now.priority !== before.priority && `set the priority to ${priorityNames[now.priority]}`,
    now.is_active !== before.is_active && (now.is_active ? 'activated it' : 'deactivated it'),
    now.needs_confirmation !== before.needs_confirmation &&
      (now.needs_confirmation ? 'made a person confirm passed checks' : 'let passed checks finish it'),
    now.group_id !== before.group_id && `moved it to ${group}`,
    ...(Object.keys(words) as (keyof Revision)[])
      .filter((field) => now[field] !== before[field])
      .map((field) => `${now[field] === null ? 'cleared' : 'changed'} ${words[field]}`),
  ].filter((change) => change !== false)
  return changes.length > 0 ? changes.join(', ') : 'moved it'
}
