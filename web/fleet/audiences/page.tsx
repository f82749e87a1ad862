import { Ellipsis, Pencil, Plus, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin, type Output } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { keyOf, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { usePlatforms } from '../../projects/platforms.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { formatNumber } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import { type Audience, AudienceDialog } from './audience-dialog.tsx'
import { useChoices } from './choices.ts'
import { addressOf, filterIn } from './filter.ts'
import { filterInWords } from './filter-words.ts'
import '../../ui/table.css'
import './audiences.css'

const list = `${admin}/audiences/list` as const

/** The saved filters of projects, with how many match now. */
export default function AudiencesPage() {
  const { base } = useProject()
  const query = useRead(list, undefined, { refetchOnMount: 'always' })
  useAskAgain(`${admin}/audiences/get`, 10_000)
  const refusal = useLostConnection()
  const [edited, setEdited] = useState<Audience | 'new'>()
  const create = (
    <Button look="primary" icon={<Plus />} refusal={refusal} onClick={() => setEdited('new')}>
      {t('New audience')}
    </Button>
  )
  return (
    <Page
      title={t('Audiences')}
      actions={
        <>
          <ButtonLink href={`${base}/projects`}>{t('Go to projects')}</ButtonLink>
          {query.data?.audiences.length !== 0 && create}
        </>
      }
    >
      <Reading query={query} failed={t('The audiences could not be loaded')}>
        {({ audiences }) =>
          audiences.length === 0 ? (
            <Empty title={t('No audiences yet')} action={create}>
              {t(
                'Save a filter of projects under a name, and roll templates out to the projects that match.',
              )}
            </Empty>
          ) : (
            <AudienceTable audiences={audiences} onEdit={setEdited} />
          )
        }
      </Reading>
      {edited && (
        <AudienceDialog
          audience={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

interface TableProps {
  audiences: readonly Audience[]
  onEdit(audience: Audience): void
}

function AudienceTable({ audiences, onEdit }: TableProps) {
  const { base } = useProject()
  const choices = useChoices()
  const platforms = usePlatforms()
  return (
    <table className="table audiences">
      <caption className="visually-hidden">{t('Audiences')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Audience')}</th>
          <th scope="col">{t('Projects')}</th>
          <th scope="col" className="table-optional audience-by">
            {t('Saved by')}
          </th>
          <th scope="col">
            <span className="visually-hidden">{t('Actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {audiences.map((audience) => (
          <tr key={audience.id}>
            <th scope="row">
              <Link
                href={`${base}/projects?${addressOf(audience)}`}
                className="table-link truncate"
                dir="auto"
              >
                {audience.name}
              </Link>
              <ul className="audience-words">
                {filterInWords(audience, choices).map((phrase) => (
                  <li key={phrase} dir="auto">
                    {phrase}
                  </li>
                ))}
                {platforms.get(audience.platform_id) && <li>{platforms.get(audience.platform_id)}</li>}
              </ul>
            </th>
            <td>
              <Count id={audience.id} />
            </td>
            <td className="table-optional audience-by">
              <p className="truncate" dir="auto">
                {audience.created_by_name ?? t('Someone')}
              </p>
              <p>
                <Ago at={audience.updated_at} />
              </p>
            </td>
            <td>
              <AudienceMenu audience={audience} onEdit={() => onEdit(audience)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Each is read by itself, so that the list is there before all have been counted. */
function Count({ id }: { id: number }) {
  const { data } = useRead(`${admin}/audiences/get`, { id }, { refetchOnMount: 'always' })
  return data ? formatNumber(data.projects_count) : ''
}

function AudienceMenu({ audience, onEdit }: { audience: Audience; onEdit(): void }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const { name } = audience
  const refusal = useLostConnection()
  const creating = useWrite(`${admin}/audiences/create`, { failed: t('The audience was not restored') })
  const restore = () => {
    const filter = filterIn((parameter) => addressOf(audience).get(parameter) ?? '')
    creating.mutate({ name, platform_id: audience.platform_id, ...filter })
  }
  const deleting = useWrite(`${admin}/audiences/delete`, {
    failed: t('The audience was not deleted'),
    // At once, so that its projects are not counted again.
    change: (cache, { id }) =>
      cache.setQueryData<Output<typeof list>>(
        keyOf(0, list),
        (before) => before && { audiences: before.audiences.filter((one) => one.id !== id) },
      ),
    done: () => showToast(t('Deleted the audience {name}', { name }), restore),
  })
  return (
    <Menu
      label={t('Actions for the audience {name}', { name })}
      entries={() => [
        {
          label: t('Plan rollout'),
          icon: <Send />,
          onSelect: () => navigate(`${base}/rollouts/new?audience=${audience.id}`),
        },
        { label: t('Edit…'), icon: <Pencil />, refusal, onSelect: onEdit },
        'line',
        {
          label: t('Delete'),
          icon: <Trash2 />,
          isDanger: true,
          refusal,
          onSelect: () => deleting.mutate({ id: audience.id }),
        },
      ]}
      trigger={(props) => (
        <IconButton label={t('Actions for the audience {name}', { name })} icon={<Ellipsis />} {...props} />
      )}
    />
  )
}
