import { OptionalSign } from '../ui/sign.tsx'
import { t } from '../words/words.ts'
import type { Group, Priority } from './types.ts'
import './signs.css'

export const priorityNames: Record<Priority, string> = {
  urgent: t('Urgent'),
  high: t('High'),
  normal: t('Normal'),
  low: t('Low'),
}

/** Distinguished by shape: a square for urgent, otherwise one to three bars. Where it stands alone, Normal shows nothing. */
export function PrioritySign({ priority, isNamed = true }: { priority: Priority; isNamed?: boolean }) {
  const name = isNamed
    ? { role: 'img', 'aria-label': t('{priority} priority', { priority: priorityNames[priority] }) }
    : { 'aria-hidden': true }
  if (priority === 'normal' && isNamed) return null
  if (priority === 'urgent')
    return (
      // biome-ignore lint/a11y/noSvgWithoutTitle: its label is its name.
      <svg {...name} viewBox="0 0 16 16" width="16" height="16" className="priority-urgent">
        <rect x="1.5" y="1.5" width="13" height="13" rx="3" fill="currentColor" />
        <path d="M8 4.5v4.2" stroke="var(--surface)" strokeWidth="1.8" strokeLinecap="round" />
        <circle cx="8" cy="11.4" r="1.1" fill="var(--surface)" />
      </svg>
    )
  const bars = { low: 1, normal: 2, high: 3 }[priority]
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: as above.
    <svg {...name} viewBox="0 0 16 16" width="16" height="16" className="priority-bars">
      {[0, 1, 2].map((bar) => (
        <rect
          key={bar}
          x={2 + bar * 4.5}
          y={10 - bar * 3.5}
          width="3"
          height={4 + bar * 3.5}
          rx="1"
          fill="currentColor"
          opacity={bar < bars ? 1 : 0.28}
        />
      ))}
    </svg>
  )
}

const statuses: Record<string, { name: string; color: string }> = {
  open: { name: t('Open', { as: 'state' }), color: 'gray' },
  in_progress: { name: t('In progress'), color: 'blue' },
  to_check: { name: t('To check'), color: 'amber' },
  blocked: { name: t('Blocked'), color: 'violet' },
  closed: { name: t('Done'), color: 'green' },
}

export const knownStatuses = Object.keys(statuses)

/** A status can be any word; five of them have names here. */
export const statusName = (status: string): string => statuses[status]?.name ?? status

/** A ring that fills up, so that the five can be distinguished without color. */
export function StatusSign({ status }: { status: string }) {
  const color = statuses[status]?.color ?? 'gray'
  const filled = { in_progress: 0.5, to_check: 0.75, closed: 1 }[status] ?? 0
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      data-hue={color}
      className="status-sign"
      aria-hidden="true"
    >
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.6" />
      {filled > 0 && filled < 1 && (
        <circle
          cx="8"
          cy="8"
          r="2"
          fill="none"
          stroke="currentColor"
          strokeWidth="4"
          strokeDasharray={`${filled * 12.566} 12.566`}
          transform="rotate(-90 8 8)"
        />
      )}
      {status === 'closed' && (
        <>
          <circle cx="8" cy="8" r="6" fill="currentColor" />
          <path
            d="m5.4 8.2 1.8 1.8 3.5-3.8"
            fill="none"
            stroke="var(--surface)"
            strokeWidth="1.6"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </>
      )}
      {status === 'blocked' && <path d="M4.2 8h7.6" stroke="currentColor" strokeWidth="2" />}
    </svg>
  )
}

/** A group at the top of a card's panel. */
export const GroupName = ({ group }: { group: Group | undefined }) =>
  group && (
    <>
      <OptionalSign icon={group.icon} color={group.color} /> <span dir="auto">{group.title}</span>
    </>
  )
