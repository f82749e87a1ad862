import { Archive } from 'lucide-react'
import { useState } from 'react'
import { themes } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Button } from '../../ui/button.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { t } from '../../words/words.ts'
import type { ThemeVersion } from '../types.ts'
import { StartCampaign } from './start-campaign.tsx'

/** The versions that projects can choose, each with a way to deprecate it. */
export function Published() {
  const query = usePages(
    `${themes}/versions/list`,
    { theme_status: 'published' },
    { refetchOnMount: 'always' },
  )
  const versions = query.data?.pages.flatMap((page) => page.versions)
  const [ending, setEnding] = useState<ThemeVersion>()
  const refusal = useLostConnection()
  return (
    <>
      <h2 className="reviews-heading">{t('Published versions')}</h2>
      <Reading query={{ ...query, data: versions }} failed={t('The versions could not be loaded')}>
        {(published) =>
          published.length === 0 ? (
            <p className="page-note">{t('No project has published a version yet.')}</p>
          ) : (
            <ul className="reviews" aria-label={t('Published versions')}>
              {published.map((version) => (
                <li key={version.version_id}>
                  <div className="reviews-words">
                    <h3 className="truncate" dir="auto">
                      {version.theme_name} {version.version}
                    </h3>
                    <p className="truncate" dir="auto">
                      {version.project_name}
                    </p>
                  </div>
                  <Button icon={<Archive />} refusal={refusal} onClick={() => setEnding(version)}>
                    {t('Deprecate…')}
                    <span className="visually-hidden">
                      {' '}
                      {version.theme_name} {version.version}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
      {ending && (
        <StartCampaign
          version={ending}
          others={(versions ?? []).filter(({ version_id }) => version_id !== ending.version_id)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  )
}
