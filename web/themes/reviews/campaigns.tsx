import { ArchiveRestore, CircleCheck, Pencil, Square } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { type Output, themes } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { Trend } from '../../fleet/trend.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { untilInText } from '../deadline.ts'
import { ChangeCampaign } from './change-campaign.tsx'

const path = `${themes}/campaigns/list` as const

type Campaign = Output<typeof path>['campaigns'][number]

/** Above this number of projects, moving them asks for it. */
const manyProjects = 10

const nameOf = ({ theme_name, version }: { theme_name: string; version: string }) =>
  `${theme_name} ${version}`

/** The deprecated versions that projects are asked to leave; nothing is shown without any. */
export function Campaigns() {
  const query = usePages(path, {}, { refetchOnMount: 'always' })
  useAskAgain(path, 3000)
  const campaigns = query.data?.pages.flatMap((page) => page.campaigns) ?? []
  if (campaigns.length === 0) return null
  return (
    <>
      <h2 className="reviews-heading">{t('Campaigns')}</h2>
      <ul className="campaigns" aria-label={t('Campaigns')}>
        {campaigns.map((campaign) => (
          <Row key={campaign.version_id} campaign={campaign} />
        ))}
      </ul>
      <ShowMore query={query} />
    </>
  )
}

function Row({ campaign }: { campaign: Campaign }) {
  const { base } = useProject()
  const { version_id, reason, using_count: using, projects_count: all, days } = campaign
  const name = nameOf(campaign)
  return (
    <li className="campaign" aria-label={name}>
      <div className="campaign-words">
        <h3 dir="auto">{name}</h3>
        <p dir="auto">{reason}</p>
        <p>{untilInText(campaign)}</p>
      </div>
      <div className="campaign-numbers">
        <p className="campaign-using numbers">
          <Link href={`${base}/projects?theme=${version_id}`}>
            {counted(using, { one: '{count} still using', other: '{count} still using' })}
          </Link>
        </p>
        <Trend
          label={counted(all, {
            one: 'Of {count} project at the start',
            other: 'Of {count} projects at the start',
          })}
          bars={days.map(({ day, using_count: value }) => ({ name: day, value }))}
          none={t('No project uses it any more')}
        />
      </div>
      <div className="campaign-actions">
        <Moving campaign={campaign} name={name} />
        <Change campaign={campaign} name={name} />
        <End campaign={campaign} name={name} />
        <Restore versionId={version_id} name={name} />
      </div>
    </li>
  )
}

function Change({ campaign, name }: { campaign: Campaign; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const refusal = useLostConnection()
  return (
    <>
      <Button look="quiet" icon={<Pencil />} refusal={refusal} onClick={() => setOpen(true)}>
        {t('Change…')}
        <span className="visually-hidden"> {name}</span>
      </Button>
      {isOpen && <ChangeCampaign campaign={campaign} name={name} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Ends the campaign; the version stays deprecated. */
function End({ campaign: { version_id, using_count: using }, name }: { campaign: Campaign; name: string }) {
  const [isAsking, setAsking] = useState(false)
  const refusal = useLostConnection()
  const ending = useWrite(`${themes}/campaigns/end`, { failed: t('The campaign was not ended') })
  return (
    <>
      <Button look="quiet" icon={<CircleCheck />} refusal={refusal} onClick={() => setAsking(true)}>
        {t('End…')}
        <span className="visually-hidden"> {name}</span>
      </Button>
      {isAsking && (
        <Confirm
          title={t('End the campaign for {name}', { name })}
          action={t('End campaign')}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            ending.mutate(
              { version_id },
              { onSuccess: () => showToast(t('Ended the campaign for {name}', { name })) },
            )
          }
        >
          <p>
            {using === 0
              ? t('No project uses {name} any more.', { name })
              : counted(
                  using,
                  {
                    one: '{count} project still uses {name} and keeps it. Its card is closed, and nobody is reminded.',
                    other:
                      '{count} projects still use {name} and keep it. Their cards are closed, and nobody is reminded.',
                  },
                  { name },
                )}{' '}
            {t('{name} stays deprecated.', { name })}
          </p>
        </Confirm>
      )}
    </>
  )
}

/** Makes the version one that projects can choose again, which ends the campaign. */
function Restore({ versionId, name }: { versionId: number; name: string }) {
  const [isAsking, setAsking] = useState(false)
  const refusal = useLostConnection()
  const restoring = useWrite(`${themes}/versions/restore`, { failed: t('The version was not restored') })
  return (
    <>
      <Button look="quiet" icon={<ArchiveRestore />} refusal={refusal} onClick={() => setAsking(true)}>
        {t('Restore…')}
        <span className="visually-hidden"> {name}</span>
      </Button>
      {isAsking && (
        <Confirm
          title={t('Restore {name}', { name })}
          action={t('Restore')}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            restoring.mutate(
              { version_id: versionId },
              { onSuccess: () => showToast(t('Restored {name}', { name })) },
            )
          }
        >
          <p>
            {t(
              'Projects can choose {name} again. The campaign ends, and the cards that it added are closed. Projects that have switched stay where they are.',
              { name },
            )}
          </p>
        </Confirm>
      )}
    </>
  )
}

/** Moves the projects that still use the version, with its progress while that goes on. */
function Moving({ campaign, name }: { campaign: Campaign; name: string }) {
  const { version_id, replacement, using_count: using, moving_since, moved_count: moved } = campaign
  const [isAsking, setAsking] = useState(false)
  const offline = useLostConnection()
  const starting = useWrite(`${themes}/campaigns/start-moving`, { failed: t('The projects are not moved') })
  const stopping = useWrite(`${themes}/campaigns/stop-moving`, { failed: t('The move was not stopped') })
  if (moving_since !== null)
    return (
      <div className="campaign-moving" role="status">
        <p>
          {counted(moved, {
            one: '{count} project moved, others follow…',
            other: '{count} projects moved, others follow…',
          })}
        </p>
        <Button
          icon={<Square />}
          refusal={offline}
          isBusy={stopping.isPending}
          onClick={() => stopping.mutate({ version_id }, { onSuccess: () => showToast(t('Move stopped')) })}
        >
          {t('Stop')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    )
  const refusal = offline ?? (replacement === null ? t('The campaign has no replacement.') : undefined)
  return (
    <div className="campaign-moving">
      {moved > 0 && (
        <p>{counted(moved, { one: '{count} project moved', other: '{count} projects moved' })}</p>
      )}
      {using > 0 && (
        <Button refusal={refusal} isBusy={starting.isPending} onClick={() => setAsking(true)}>
          {t('Move projects…')}
          <span className="visually-hidden"> {name}</span>
        </Button>
      )}
      {isAsking && replacement !== null && (
        <Confirm
          title={t('Move projects from {name}', { name })}
          action={counted(using, { one: 'Move {count} project', other: 'Move {count} projects' })}
          typed={using > manyProjects ? using : undefined}
          onClose={() => setAsking(false)}
          onConfirm={() => starting.mutate({ version_id })}
        >
          <p>
            {counted(
              using,
              {
                one: "{count} project switches to {theme}. Its people see it in the activity. They can't return.",
                other:
                  "{count} projects switch to {theme}. Their people see it in the activity. They can't return.",
              },
              { theme: nameOf(replacement) },
            )}
          </p>
        </Confirm>
      )}
    </div>
  )
}
