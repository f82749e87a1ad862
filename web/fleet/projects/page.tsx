import { keepPreviousData } from '@tanstack/react-query'
import { BookmarkPlus, Plus, Send, Tag } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { usePlatforms } from '../../projects/platforms.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { AudienceDialog } from '../audiences/audience-dialog.tsx'
import { addressOf, mostHandPicked } from '../audiences/filter.ts'
import { FiguresAge } from '../figures-age.tsx'
import { LabelProjects } from '../label-projects.tsx'
import { SelectAll } from '../select-all.tsx'
import { useSelection } from '../selection.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, useFilters } from './filters.ts'
import { NewProject } from './new-project.tsx'
import { ProjectTable } from './table.tsx'
import './page.css'

const path = `${admin}/projects/list` as const
const projectsAtOnce = 100
/** Reading many pages again would cost more than it shows. */
const mostPagesAgain = 2
const never = 2 ** 30

export default function ProjectsPage() {
  const { base, client, me } = useProject()
  const platforms = usePlatforms(me.user.superadmin_platform_id === null)
  const [, navigate] = useLocation()
  const filters = useFilters()
  const { filter, saved, platform, sort, isDescending, isFiltered, clear } = filters
  const input = { ...filter, sort, is_descending: isDescending, limit: projectsAtOnce }
  const query = usePages(path, input, { refetchOnMount: 'always', placeholderData: keepPreviousData })
  const pages = query.data?.pages
  useAskAgain(path, (pages?.length ?? 0) > mostPagesAgain ? never : 10_000)
  const projects = useMemo(() => pages?.flatMap((page) => page.projects), [pages])
  const refusal = useLostConnection()
  const [dialog, setDialog] = useState<'new' | 'labels' | 'audience'>()
  const selection = useSelection(projects, async (page) => {
    const { projects: rows, next_cursor } = await client.call(path, { ...input, ...page })
    return { rows, next_cursor }
  })
  const { selected, setSelected } = selection
  const create = (
    <Button look="primary" icon={<Plus />} refusal={refusal} onClick={() => setDialog('new')}>
      {t('New project')}
    </Button>
  )
  const count = pages?.[0]?.count ?? 0
  const isReached = !filter.is_deleted && !filter.is_archived
  const saveAudience = (reason?: string) => (
    <Button icon={<BookmarkPlus />} refusal={refusal ?? reason} onClick={() => setDialog('audience')}>
      {t('Save as audience…')}
    </Button>
  )
  const planRollout = (
    parameters: { projects: string } | { filter: string },
    platformId: number | undefined,
    reason?: string,
  ) => (
    <Button
      icon={<Send />}
      refusal={reason}
      onClick={() => {
        const search = new URLSearchParams(parameters)
        // The plan then begins with a template of their platform.
        if (platformId !== undefined) search.set('platform', String(platformId))
        navigate(`${base}/rollouts/new?${search}`)
      }}
    >
      {t('Plan rollout')}
    </Button>
  )
  return (
    <Page
      title={t('Projects')}
      width="all"
      actions={
        <>
          <ButtonLink href={`${base}/projects/audiences`}>{t('Audiences')}</ButtonLink>
          {create}
        </>
      }
      below={<FilterBar filters={filters} platforms={platforms} />}
    >
      <div className="fleet-bar">
        {selected.size > 0 ? (
          <>
            <p className="numbers" role="status">
              {counted(selected.size, {
                one: '{count} project selected',
                other: '{count} projects selected',
              })}
            </p>
            <SelectAll selection={selection} count={count} />
            <Button icon={<Tag />} refusal={refusal} onClick={() => setDialog('labels')}>
              {t('Labels…')}
            </Button>
            {planRollout(
              { projects: [...selected].join('.') },
              onlyPlatformOf(selection.chosen),
              !isReached
                ? t('Rollouts leave out archived and deleted projects.')
                : selected.size > mostHandPicked
                  ? t('Select at most {count} projects, or filter the list and plan it for all that match.', {
                      count: mostHandPicked,
                    })
                  : undefined,
            )}
            {saveAudience(
              selected.size > mostHandPicked
                ? t('An audience can have at most {count} selected projects.', { count: mostHandPicked })
                : undefined,
            )}
            <Button look="quiet" onClick={() => setSelected(new Set())}>
              {t('End selection')}
            </Button>
          </>
        ) : (
          <>
            <p className="numbers" role="status">
              {pages && counted(count, { one: '{count} project', other: '{count} projects' })}
            </p>
            <FiguresAge />
            {Object.keys(saved).length > 0 && (
              <>
                {isReached && count > 0 && planRollout({ filter: addressOf(saved).toString() }, platform)}
                {saveAudience()}
              </>
            )}
          </>
        )}
      </div>
      <Reading query={{ ...query, data: projects }} failed={t('The projects could not be loaded')}>
        {(read) =>
          read.length > 0 ? (
            <ProjectTable
              projects={read}
              count={count}
              filters={filters}
              selected={selected}
              onSelect={setSelected}
              onEnd={
                query.hasNextPage && !query.isFetchingNextPage ? () => void query.fetchNextPage() : undefined
              }
            />
          ) : isFiltered ? (
            <Empty
              title={t('No projects match')}
              action={<Button onClick={clear}>{t('Clear filters')}</Button>}
            >
              {isReached && <LeftOut filters={filters} />}
            </Empty>
          ) : (
            <Empty title={t('No projects yet')} action={create}>
              {t("A project is one customer's workspace. Create the first one to start working.")}
            </Empty>
          )
        }
      </Reading>
      {dialog === 'new' && <NewProject onClose={() => setDialog(undefined)} />}
      {dialog === 'audience' && (
        <AudienceDialog
          filter={selected.size > 0 ? { project_ids: [...selected] } : saved}
          platform={platform ?? onlyPlatformOf(selection.chosen)}
          projects={selected.size > 0 ? selection.chosen : (projects ?? [])}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog === 'labels' && (
        <LabelProjects projects={selection.chosen} onClose={() => setDialog(undefined)} />
      )}
    </Page>
  )
}

/** Who looks for a customer by name may look for one that is not among the others any more. */
const LeftOut = ({ filters: { address } }: { filters: Filters }) =>
  rich(
    'Archived and deleted projects are left out. Search the <archived>archived ones</archived> or the <deleted>deleted ones</deleted>.',
    {
      archived: (text) => <Link href={address({ archived: 'yes' })}>{text}</Link>,
      deleted: (text) => <Link href={address({ deleted: 'yes' })}>{text}</Link>,
    },
  )

/** The platform that all of them are on, if they are on one. */
function onlyPlatformOf(projects: readonly { platform_id: number }[]): number | undefined {
  const [first, second] = new Set(projects.map(({ platform_id }) => platform_id))
  return second === undefined ? first : undefined
}
