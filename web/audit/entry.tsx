import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { useTimely } from '../ui/clock.ts'
import { dayName } from '../ui/time.tsx'
import { formatNumber, locale } from '../words/locale.ts'
import { counted, t } from '../words/words.ts'
import { kindIcon } from './kind-choices.tsx'
import { type AuditEntry, isWorrying } from './kinds.ts'
import { actorOf, circumstanceOf, sentenceOf } from './sentences.tsx'
import './entry.css'

/** Filters the list by a person or an IP address. */
type Only = (filter: 'person' | 'address', value: string) => void

/** An entry in a sentence; it opens to show everything that was recorded. */
export function Entry({ entry, only }: { entry: AuditEntry; only: Only }) {
  const { kind, at, address, project_name: project, details } = entry
  const hue = isWorrying(kind) ? 'amber' : 'gray'
  // An entry that stands for many; ended sessions are counted in words.
  const count = kind === 'sessions.ended' ? 0 : Number(details['count'] ?? 0)
  const meta = [circumstanceOf(entry), address, project].filter((part) => typeof part === 'string')
  return (
    <details className="audit-entry">
      <summary>
        <span className="audit-icon" data-hue={hue} aria-hidden="true">
          {kindIcon(kind)}
        </span>
        <span className="audit-sentence">{sentenceOf(entry)}</span>
        {count > 1 && (
          <Badge hue={hue} icon={kindIcon(kind)}>
            {counted(count, { one: '{count} time', other: '{count} times' })}
          </Badge>
        )}
        <span className="audit-meta">
          {meta.map((part) => (
            <span key={part} dir="auto">
              {part}
            </span>
          ))}
        </span>
        <When at={at} />
      </summary>
      <Recorded entry={entry} only={only} />
    </details>
  )
}

const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'medium' })

function When({ at }: { at: string }) {
  const day = useTimely(() => dayName(at))
  return (
    <time dateTime={at} className="audit-when numbers">
      {day}, {clock.format(new Date(at))}
    </time>
  )
}

/** The labels of what an entry may record in addition; what the sentence or another row says is left out. */
const labels: Readonly<Record<string, string>> = {
  email: t('Email that was tried'),
  operation: t('Operation'),
  command: t('Command'),
  system_user: t('System user'),
  superadmin: t('Superadmin'),
  superadmin_billing: t('Billing'),
  platform_id: t('Platform'),
  name: t('Name'),
  tool: t('Product'),
  template: t('Template'),
  version: t('Version'),
  labels_added: t('Labels added'),
  labels_removed: t('Labels removed'),
  project_ids: t('Ids of the projects'),
  accounts: t('Accounts'),
  job: t('Job'),
  migrations: t('Migrations'),
  newest: t('Newest migration'),
}

const asCode = ['operation', 'command', 'newest', 'project_ids']

function Recorded({ entry, only }: { entry: AuditEntry; only: Only }) {
  const { at, source, address, request_id: request, project_name: project, details } = entry
  const circumstance = circumstanceOf(entry)
  return (
    <dl className="audit-recorded">
      <Row label={t('Time')}>
        <span className="numbers">{exact.format(new Date(at))}</span>
      </Row>
      <Person label={t('Person')} name={actorOf(entry)} email={entry.actor_email} only={only} />
      {entry.account_id !== entry.actor_id && entry.account_name !== null && (
        <Person label={t('Account')} name={entry.account_name} email={entry.account_email} only={only} />
      )}
      {circumstance !== undefined && <Row label={t('Details')}>{circumstance}</Row>}
      {Object.entries(labels)
        .filter(([key]) => details[key] !== undefined && details[key] !== null)
        .map(([key, label]) => (
          <Row key={key} label={label}>
            {asCode.includes(key) ? (
              <code>{String(details[key]).replaceAll(',', ', ')}</code>
            ) : (
              shownValue(key, details[key])
            )}
          </Row>
        ))}
      {typeof details['rollout'] === 'number' && entry.kind !== 'rollout.discarded' && (
        <Row label={t('Rollout')}>
          <Link href={`/operator/rollouts/${details['rollout']}`} dir="auto">
            {String(details['title'])}
          </Link>
        </Row>
      )}
      {details['target'] !== undefined && (
        <Row label={t('Asked for')}>
          <code>{[details['target'], details['target_id']].filter((part) => part !== null).join(' ')}</code>
        </Row>
      )}
      {project !== null && (
        <Row label={t('Project')}>
          <span dir="auto">{project}</span>
        </Row>
      )}
      {address !== null && (
        <Row label={t('IP address')}>
          <span className="numbers">{address}</span>
          <Button look="quiet" onClick={() => only('address', address)}>
            {t('Show only this address')}
          </Button>
        </Row>
      )}
      <Row label={t('Source')}>{source === 'api' ? t('Web app or API') : t('Command line')}</Row>
      {request !== null && (
        <Row label={t('Request')}>
          <code>{request}</code>
        </Row>
      )}
    </dl>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

interface PersonProps {
  label: string
  name: string
  email: string | null
  only: Only
}

const Person = ({ label, name, email, only }: PersonProps) => (
  <Row label={label}>
    <span dir="auto">{name}</span>
    {email !== null && (
      <>
        <span dir="auto" className="audit-email">
          {email}
        </span>
        <Button look="quiet" onClick={() => only('person', email)}>
          {t('Show only this person')}
        </Button>
      </>
    )}
  </Row>
)

function shownValue(key: string, value: unknown): ReactNode {
  // Of a rollout whose template had none.
  if (key === 'version' && value === 0) return t('No version')
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  return typeof value === 'number' ? formatNumber(value) : <span dir="auto">{String(value)}</span>
}
