import { Archive, CircleCheck, CircleDashed, CircleX, Clock, Globe } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { dayName, fullTime } from '../ui/time.tsx'
import type { ThemeVersion } from './types.ts'

type Life = Pick<
  ThemeVersion,
  | 'theme_status'
  | 'approval_status'
  | 'created_at'
  | 'submitted_at'
  | 'reviewed_at'
  | 'published_at'
  | 'deprecated_at'
>

const states = {
  draft: { word: 'Draft', hue: 'gray', icon: <CircleDashed /> },
  pending: { word: 'In review', hue: 'blue', icon: <Clock /> },
  rejected: { word: 'Rejected', hue: 'red', icon: <CircleX /> },
  approved: { word: 'Ready to publish', hue: 'teal', icon: <CircleCheck /> },
  published: { word: 'Published', hue: 'green', icon: <Globe /> },
  deprecated: { word: 'Deprecated', hue: 'amber', icon: <Archive /> },
} as const

export type Stage = keyof typeof states

/** Combines the two statuses into one stage. */
export const stageOf = ({ theme_status, approval_status }: Life): Stage =>
  theme_status === 'draft' ? (approval_status ?? 'draft') : theme_status

export function StageBadge({ stage }: { stage: Stage }) {
  const { word, hue, icon } = states[stage]
  return (
    <Badge hue={hue} icon={icon}>
      {word}
    </Badge>
  )
}

interface Step {
  name: string
  at: string | null
  look: 'done' | 'now' | 'ahead' | 'failed'
}

/** The steps of a version, past and future. */
function stepsOf(version: Life): Step[] {
  const { approval_status: approval, submitted_at, reviewed_at, published_at, deprecated_at } = version
  const past = (name: string, at: string | null): Step => ({ name, at, look: at === null ? 'ahead' : 'done' })
  const review: Record<string, Step> = {
    approved: past('Approved', reviewed_at),
    rejected: { name: 'Rejected', at: reviewed_at, look: 'failed' },
    pending: { name: 'In review', at: null, look: 'now' },
  }
  return [
    past('Created', version.created_at),
    past('Submitted', submitted_at),
    review[approval ?? ''] ?? past('Reviewed', null),
    ...(published_at === null && deprecated_at !== null ? [] : [past('Published', published_at)]),
    ...(deprecated_at === null ? [] : [past('Deprecated', deprecated_at)]),
  ]
}

/** The steps of a version as a list. */
export function Timeline({ version, name }: { version: Life; name: string }) {
  return (
    <ol className="theme-steps" aria-label={`Stages of ${name}`}>
      {stepsOf(version).map(({ name, at, look }) => (
        <li key={name} data-look={look}>
          <span className="theme-step-name">{name}</span>
          {at === null ? (
            <span className="theme-step-day">{look === 'now' ? 'waiting' : 'not yet'}</span>
          ) : (
            <time className="theme-step-day numbers" dateTime={at} data-tip={fullTime(at)}>
              {dayName(at)}
            </time>
          )}
        </li>
      ))}
    </ol>
  )
}
