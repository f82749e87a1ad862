import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type Output, themes } from '../data/client.ts'
import { together, usePages, useRead } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { useRefusal } from '../identity/permissions.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty } from '../ui/states.tsx'
import { rich } from '../words/rich.tsx'
import { counted, t } from '../words/words.ts'
import { CreateTheme, CreateVersion } from './create.tsx'
import { InUse } from './in-use.tsx'
import type { ThemeVersion } from './types.ts'
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
  const create = (
    <Button look="primary" icon={<Plus />} refusal={refusal} onClick={() => setCreating(true)}>
      {t('New theme')}
    </Button>
  )
  const read = together(own, versions, chosen)
  const list = own.data?.pages.flatMap((page) => page.themes) ?? []
  return (
    <Page title={t('Themes')} actions={read.data && list.length > 0 && create}>
      <Reading query={read} failed={t('The themes could not be loaded')}>
        {([, { pages }, { version: used, deprecation }]) => (
          <>
            <InUse chosen={used} deprecation={deprecation} />
            {list.length === 0 && (
              <Empty title={t('No themes yet')} action={create}>
                {t(
                  'A theme is a look for websites. Its versions are reviewed, and then every project can use them.',
                )}
              </Empty>
            )}
            {list.map((theme) => (
              <ThemeSection
                key={theme.id}
                theme={theme}
                versions={pages
                  .flatMap((page) => page.versions)
                  .filter(({ theme_id: id }) => id === theme.id)}
                usedId={used?.version_id}
              />
            ))}
          </>
        )}
      </Reading>
      <ShowMore query={own} label={t('Show older themes')} />
      <ShowMore query={versions} label={t('Show older versions')} />
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
          {count === 0
            ? t('no versions yet')
            : counted(count, { one: '{count} version', other: '{count} versions' })}
        </span>
        <Button look="quiet" icon={<Plus />} refusal={refusal} onClick={() => setCreating(true)}>
          {rich('New version<hidden> of {theme}</hidden>', {
            hidden: (text) => <span className="visually-hidden">{text}</span>,
            theme: theme.name,
          })}
        </Button>
      </header>
      {versions.length > 0 && (
        <ul className="theme-versions" aria-label={t('Versions of {theme}', { theme: theme.name })}>
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
