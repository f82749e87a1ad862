import { keepPreviousData } from '@tanstack/react-query'
import { Download, ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Input } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date/date-field.tsx'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { useSettled } from '../../ui/settled.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { actsAsSuperadmin, useMay } from '../permissions.ts'
import { download } from './download.ts'
import { type AuditEntry, type AuditKind, auditList, kindNames } from './kinds.ts'
import './page.css'

export default function AuditPage() {
  const isAllowed = useMay('see the audit log')
  const { wanted } = useWanted()
  return (
    <Page title={t('Audit log')} actions={isAllowed && <CsvButton wanted={wanted} />}>
      {isAllowed ? (
        <Log />
      ) : (
        <Empty title={t('Only the project owner can open this page')}>
          {t('It lists sign-ins, changes of access and refused access.')}
        </Empty>
      )}
    </Page>
  )
}

const isEmail = (text: string) => /^\S+@\S+\.\S+$/.test(text)

/** The filters are in the address. */
function useWanted() {
  const [search, setSearch] = useSearchParams()
  const given = (name: string) => search.get(name) ?? ''
  /** An address may hold anything. */
  const givenDay = (name: string) => {
    const day = given(name)
    return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? day : ''
  }
  const [from, until] = [givenDay('from'), givenDay('until')]
  const person = useSettled(given('person').trim())
  const kind = given('kind')
  const wanted: Input<typeof auditList> = {
    ...(given('scope') === 'project' && { is_of_project: true }),
    ...(kind in kindNames && { kind: kind as AuditKind }),
    ...(isEmail(person) && { actor: person }),
    ...(from && { from: midnight(from, 0) }),
    ...(until && { until: midnight(until, 1) }),
  }
  const change = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return { given, change, from, until, person, wanted }
}

/** The beginning of a day of this browser's time zone, or of the day after it. */
function midnight(day: string, daysLater: number): string {
  const at = new Date(`${day}T00:00`)
  at.setDate(at.getDate() + daysLater)
  return at.toISOString()
}

function Log() {
  const { me } = useProject()
  const { given, change, from, until, person, wanted } = useWanted()
  const found = usePages(auditList, wanted, { refetchOnMount: 'always', placeholderData: keepPreviousData })
  const entries = found.data?.pages.flatMap((page) => page.entries)
  const field = (name: string) => ({
    value: given(name),
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
  })
  return (
    <>
      <search className="audit-filters">
        <FieldSelect label={t('What happened')} {...field('kind')}>
          <option value="">{t('Everything')}</option>
          {Object.entries(kindNames).map(([kind, name]) => (
            <option key={kind} value={kind}>
              {name}
            </option>
          ))}
        </FieldSelect>
        <Field
          label={t('Email of the person')}
          type="search"
          maxLength={254}
          error={person === '' || isEmail(person) ? undefined : t('Enter the whole email address.')}
          {...field('person')}
        />
        <DateField label={t('From')} value={from} onChange={(day) => change('from', day)} />
        <DateField label={t('Until')} value={until} onChange={(day) => change('until', day)} />
        {actsAsSuperadmin(me) && (
          <FieldSelect label={t('Projects')} {...field('scope')}>
            <option value="">{t('All projects')}</option>
            <option value="project">{t('This project')}</option>
          </FieldSelect>
        )}
      </search>
      <Reading query={{ ...found, data: entries }} failed={t('The audit log could not be loaded')}>
        {(shown) =>
          shown.length === 0 ? (
            <Empty title={t('No entries')}>
              {t('Sign-ins, changes of access and refused access appear here.')}
            </Empty>
          ) : (
            <ul className="audit" aria-label={t('Entries')}>
              {shown.map((entry) => (
                <Row key={entry.id} entry={entry} />
              ))}
            </ul>
          )
        }
      </Reading>
      <ShowMore query={found} />
    </>
  )
}

const worrying: readonly AuditKind[] = ['sign_in.failed', 'reauthentication.failed', 'access.refused']

function Row({ entry }: { entry: AuditEntry }) {
  const { kind, at, address, project_name: project, details } = entry
  const count = Number(details['count'] ?? 0)
  const parts = [
    address,
    project,
    ...['factor', 'reason', 'role', 'operation', 'command'].map((key) => details[key]),
  ].filter((part) => typeof part === 'string')
  return (
    <li>
      <h2>
        {kindNames[kind]}
        {worrying.includes(kind) && count > 1 && (
          <Badge hue="amber" icon={<ShieldAlert />}>
            {counted(count, { one: '{count} time', other: '{count} times' })}
          </Badge>
        )}
      </h2>
      <p>
        {rich('{person} · {ago}', {
          person: <span dir="auto">{personOf(entry)}</span>,
          ago: <Ago at={at} />,
        })}
      </p>
      {parts.length > 0 && <p dir="auto">{parts.join(' · ')}</p>}
    </li>
  )
}

function personOf(entry: AuditEntry): string {
  const { actor_id, actor_name, account_id, account_name, source, details } = entry
  const actor =
    actor_name ?? (source === 'command line' ? t('Command line') : String(details['email'] ?? t('Unknown')))
  return account_name === null || account_id === actor_id
    ? actor
    : t('{actor} for {account}', { actor, account: account_name })
}

function CsvButton({ wanted }: { wanted: Input<typeof auditList> }) {
  const { client } = useProject()
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    try {
      await download((page) => client.call(auditList, { ...wanted, ...page }))
    } catch (error) {
      showFailure(t('The audit log was not downloaded'), error)
    }
    setBusy(false)
  }
  return (
    <Button icon={<Download />} isBusy={isBusy} onClick={() => void start()}>
      {t('Download CSV')}
    </Button>
  )
}
