import { Archive, CircleCheck, CircleDashed, CircleX, Clock, Globe } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { dayName, fullTime } from '../ui/time.tsx'
import { t } from '../words/words.ts'
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
  draft: { word: t('Draft'), hue: 'gray', icon: <CircleDashed /> },
  pending: { word: t('In review'), hue: 'blue', icon: <Clock /> },
  rejected: { word: t('Rejected'), hue: 'red', icon: <CircleX /> },
  approved: { word: t('Ready to publish'), hue: 'teal', icon: <CircleCheck /> },
  published: { word: t('Published'), hue: 'green', icon: <Globe /> },
  deprecated: { word: t('Deprecated'), hue: 'amber', icon: <Archive /> },
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
    approved: past(t('Approved'), reviewed_at),
    rejected: { name: t('Rejected'), at: reviewed_at, look: 'failed' },
    pending: { name: t('In review'), at: null, look: 'now' },
  }
  return [
    past(t('Created'), version.created_at),
    past(t('Submitted'), submitted_at),
    review[approval ?? ''] ?? past(t('Reviewed'), null),
    ...(published_at === null && deprecated_at !== null ? [] : [past(t('Published'), published_at)]),
    ...(deprecated_at === null ? [] : [past(t('Deprecated'), deprecated_at)]),
  ]
}

/** The steps of a version as a list. */
export function Timeline({ version, name }: { version: Life; name: string }) {
  return (
    <ol className="theme-steps" aria-label={t('Stages of {name}', { name })}>
      {stepsOf(version).map(({ name, at, look }) => (
        <li key={name} data-look={look}>
          <span className="theme-step-name">{name}</span>
          {at === null ? (
            <span className="theme-step-day">{look === 'now' ? t('waiting') : t('not yet')}</span>
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
