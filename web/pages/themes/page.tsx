import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Output, themes } from '../../data/client.ts'
import { useRefusal } from '../../data/project.tsx'
import { usePages, useRead } from '../../data/read.ts'
import type { ThemeVersion } from '../../data/types.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading, SkeletonRows } from '../../ui/states.tsx'
import { CreateTheme, CreateVersion } from './create.tsx'
import { InUse } from './in-use.tsx'
import './page.css'
import { VersionRow } from './version-row.tsx'

type Theme = Output<`${typeof themes}/list`>['themes'][number]

const ownOnly = { is_of_project: true, limit: 200 }

export default function ThemesPage() {
  const own = usePages(`${themes}/list`, ownOnly)
  const versions = usePages(`${themes}/versions/list`, ownOnly)
  const chosen = useRead(`${themes}/versions/chosen`, {}, { refetchOnMount: 'always' })
  const [isCreating, setCreating] = useState(false)
  const refusal = useRefusal('manage themes')
  const create = (look: 'primary' | 'secondary') => (
    <Button look={look} icon={<Plus />} refusal={refusal} onClick={() => setCreating(true)}>
      New theme
    </Button>
  )
  const reads = [own, versions, chosen]
  const failed = reads.find(({ error, data }) => error && !data)
  const isLoaded = own.data && versions.data && chosen.data
  const list = own.data?.pages.flatMap((page) => page.themes) ?? []
  const isEmpty = list.length === 0
  const more = [own, versions].filter(({ hasNextPage }) => hasNextPage)
  return (
    <Page title="Themes" actions={isLoaded && !isEmpty && create('primary')}>
      {failed && (
        <Failed
          what="The themes could not be loaded"
          error={failed.error}
          onRetry={() => void reads.map(({ refetch }) => refetch())}
        />
      )}
      {!isLoaded && !failed && (
        <Loading>
          <SkeletonRows />
        </Loading>
      )}
      {isLoaded && (
        <>
          <InUse chosen={chosen.data.version} />
          {isEmpty ? (
            <Empty title="No themes of your own yet" action={create('primary')}>
              A theme is a look for websites. Its versions are reviewed, and then every project can use them.
            </Empty>
          ) : (
            list.map((theme) => (
              <ThemeSection
                key={theme.id}
                theme={theme}
                versions={versions.data.pages
                  .flatMap((page) => page.versions)
                  .filter(({ theme_id: id }) => id === theme.id)}
                usedId={chosen.data.version?.version_id}
              />
            ))
          )}
          {more.length > 0 && (
            <Button look="quiet" onClick={() => void more.map(({ fetchNextPage }) => fetchNextPage())}>
              Show older
            </Button>
          )}
        </>
      )}
      {isCreating && <CreateTheme onClose={() => setCreating(false)} />}
    </Page>
  )
}

interface SectionProps {
  theme: Theme
  versions: ThemeVersion[]
  /** The version that this project uses. */
  usedId: number | undefined
}

function ThemeSection({ theme, versions, usedId }: SectionProps) {
  const [isCreating, setCreating] = useState(false)
  const refusal = useRefusal('manage themes')
  const count = theme.versions_count
  return (
    <section className="theme" aria-labelledby={`theme-${theme.id}`}>
      <header className="theme-header">
        <h2 id={`theme-${theme.id}`} className="truncate" dir="auto">
          {theme.name}
        </h2>
        <span className="theme-count numbers">
          {count === 1 ? '1 version' : count === 0 ? 'no versions yet' : `${count} versions`}
        </span>
        <Button look="quiet" icon={<Plus />} refusal={refusal} onClick={() => setCreating(true)}>
          New version<span className="visually-hidden"> of {theme.name}</span>
        </Button>
      </header>
      {versions.length > 0 && (
        <ul className="theme-versions" aria-label={`Versions of ${theme.name}`}>
          {versions.map((version) => (
            <VersionRow
              key={version.version_id}
              version={version}
              isUsedHere={version.version_id === usedId}
            />
          ))}
        </ul>
      )}
      {isCreating && <CreateVersion theme={theme} onClose={() => setCreating(false)} />}
    </section>
  )
}
