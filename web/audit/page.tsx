import { keepPreviousData } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Input } from '../data/client.ts'
import { showFailure } from '../data/failure.ts'
import { useProject } from '../data/project.tsx'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { actsAsSuperadmin, isSuperadmin, useMay } from '../identity/permissions.ts'
import SecondFactorNeeded from '../identity/second-factor-needed.tsx'
import { Button, ButtonLink } from '../ui/button.tsx'
import { DateField } from '../ui/date/date-field.tsx'
import { Field, FieldSelect } from '../ui/field.tsx'
import { FieldPicker } from '../ui/field-picker.tsx'
import { Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { useSettled } from '../ui/settled.ts'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty } from '../ui/states.tsx'
import { dismissTopic } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { download } from './download.ts'
import { Entry } from './entry.tsx'
import { kindChoices } from './kind-choices.tsx'
import { type AuditEntry, auditList, isKind } from './kinds.ts'
import './page.css'

export default function AuditPage() {
  const isAllowed = useMay('see the audit log')
  const { me } = useProject()
  const lacksFactor = isSuperadmin(me) && !actsAsSuperadmin(me)
  return (
    <Page title={t('Audit log')}>
      {lacksFactor && isAllowed && <OnlyOwnProject />}
      {isAllowed ? <Log /> : lacksFactor ? <SecondFactorNeeded to={here()} /> : <NotAllowed />}
    </Page>
  )
}

const here = () => location.pathname + location.search

const NotAllowed = () => (
  <Empty title={t('Only the project owner can open this page')}>
    {t('It lists sign-ins, changes of access and refused access.')}
  </Empty>
)

/** A superadmin without two-factor authentication sees what an owner sees, and what superadmins do is not in it. */
const OnlyOwnProject = () => (
  <Notice
    title={t('You see only the entries of this project')}
    action={<ButtonLink href={`/two-factor?to=${encodeURIComponent(here())}`}>{t('Set up')}</ButtonLink>}
  >
    {t('Set up two-factor authentication to see all projects and the sign-ins of superadmins.')}
  </Notice>
)

const isEmail = (text: string) => /^\S+@\S+\.\S+$/.test(text)

/** The filters are in the address. */
function useWanted() {
  const [search, setSearch] = useSearchParams()
  const given = (name: string) => search.get(name) ?? ''
  const givenDay = (name: string) => (isDay(given(name)) ? given(name) : '')
  const [from, until] = [givenDay('from'), givenDay('until')]
  const notADay = [given('from'), given('until')].find((text) => text !== '' && !isDay(text))
  const person = useSettled(given('person').trim())
  const address = useSettled(given('address').trim())
  const kind = given('kind')
  const wanted: Input<typeof auditList> = {
    ...(given('scope') === 'project' && { is_of_project: true }),
    ...(isKind(kind) && { kind }),
    ...(isEmail(person) && { person }),
    ...(address !== '' && { address: address.slice(0, longestAddress) }),
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
  const clear = () => setSearch({}, { replace: true })
  return { given, change, clear, from, until, notADay, person, wanted }
}

/** An address may hold anything. A day that does not exist, such as 31 February, comes back as another one. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text
}

const longestAddress = 100

/** The beginning of a day of this browser's time zone, or of the day after it. */
function midnight(day: string, daysLater: number): string {
  const at = new Date(`${day}T00:00`)
  at.setDate(at.getDate() + daysLater)
  return at.toISOString()
}

function Log() {
  const { me, isOperator } = useProject()
  const id = useId()
  const { given, change, clear, from, until, notADay, person, wanted } = useWanted()
  const found = usePages(auditList, wanted, { refetchOnMount: 'always', placeholderData: keepPreviousData })
  const entries = found.data?.pages.flatMap((page) => page.entries)
  const isFiltered = Object.keys(wanted).length > 0 || notADay !== undefined
  const kind = given('kind')
  // A message in the middle of typing would be about an address that is not finished.
  const [isTyping, setTyping] = useState(false)
  const field = (name: string) => ({
    value: given(name),
    onChange: (event: { target: { value: string } }) => change(name, event.target.value),
  })
  return (
    <>
      <search className="audit-filters" aria-label={t('Filter the audit log')}>
        <FieldPicker
          label={t('What happened')}
          choices={kindChoices}
          chosen={isKind(kind) ? kind : ''}
          onChoose={(chosen) => change('kind', chosen)}
        />
        <Field
          label={t('Person')}
          type="search"
          placeholder={t('Email')}
          maxLength={254}
          list={`${id}-people`}
          error={
            isTyping || person === '' || isEmail(person) ? undefined : t('Enter the whole email address.')
          }
          value={given('person')}
          onChange={(event) => {
            setTyping(true)
            change('person', event.target.value)
          }}
          onBlur={() => setTyping(false)}
          onKeyDown={(event) => event.key === 'Enter' && setTyping(false)}
        />
        <datalist id={`${id}-people`}>
          {[...peopleIn(entries ?? [])].map(([email, name]) => (
            <option key={email} value={email}>
              {name}
            </option>
          ))}
        </datalist>
        <Field label={t('IP address')} type="search" maxLength={longestAddress} {...field('address')} />
        <DateField label={t('From')} value={from} onChange={(day) => change('from', day)} />
        <DateField label={t('Until')} value={until} onChange={(day) => change('until', day)} />
        {actsAsSuperadmin(me) && !isOperator && (
          <FieldSelect label={t('Projects')} {...field('scope')}>
            <option value="">{t('All projects')}</option>
            <option value="project">{t('This project')}</option>
          </FieldSelect>
        )}
      </search>
      {notADay !== undefined && (
        <Notice look="warning" title={t('“{text}” is not a date', { text: notADay })}>
          {t('The entries of all days are shown. Choose another day, or clear the filters.')}
        </Notice>
      )}
      <div className="audit-bar">
        {isFiltered && (
          <Button look="quiet" onClick={clear}>
            {t('Clear filters')}
          </Button>
        )}
        <p>
          {isFiltered ? t('The CSV has all entries that match the filters.') : t('The CSV has all entries.')}
        </p>
        <CsvButton wanted={wanted} />
      </div>
      <Reading query={{ ...found, data: entries }} failed={t('The audit log could not be loaded')}>
        {(shown) =>
          shown.length > 0 ? (
            <ul className="audit" aria-label={t('Entries')}>
              {shown.map((entry) => (
                <li key={entry.id}>
                  <Entry entry={entry} only={change} />
                </li>
              ))}
            </ul>
          ) : isFiltered ? (
            <Empty
              title={t('No entries match')}
              action={<Button onClick={clear}>{t('Clear filters')}</Button>}
            />
          ) : (
            <Empty title={t('No entries yet')}>
              {t('Sign-ins, changes of access and refused access appear here.')}
            </Empty>
          )
        }
      </Reading>
      <ShowMore query={found} label={t('Show older')} />
    </>
  )
}

/** The people of the entries, by email, as suggestions for the filter. */
const peopleIn = (entries: readonly AuditEntry[]) =>
  new Map(
    entries
      .flatMap((entry) => [
        [entry.actor_email, entry.actor_name],
        [entry.account_email, entry.account_name],
      ])
      .filter(([email]) => email !== null) as [string, string][],
  )

function CsvButton({ wanted }: { wanted: Input<typeof auditList> }) {
  const { client } = useProject()
  const [isBusy, setBusy] = useState(false)
  const start = async () => {
    setBusy(true)
    try {
      await download((page) => client.call(auditList, { ...wanted, ...page }))
      dismissTopic(auditList)
    } catch (error) {
      showFailure(t('The audit log was not downloaded'), error, auditList)
    }
    setBusy(false)
  }
  return (
    <Button icon={<Download />} isBusy={isBusy} onClick={() => void start()}>
      {t('Download CSV')}
    </Button>
  )
}
