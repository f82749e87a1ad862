import { MonitorCheck, MonitorOff } from 'lucide-react'
import { useState } from 'react'
import { themes } from '../data/client.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { useRefusal } from '../identity/permissions.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { spot } from '../ui/spots.ts'
import { SkeletonRows } from '../ui/states.tsx'
import { dayInText } from '../ui/time.tsx'
import { t } from '../words/words.ts'
import { useChoose } from './choose.ts'
import { deadlineInText } from './deadline.ts'
import type { Deprecation, OfferedVersion } from './types.ts'

const themeSpot = spot('theme')

/** The version that this project uses, and a button to choose another one. */
export function InUse({
  chosen,
  deprecation,
}: {
  chosen: OfferedVersion | null
  deprecation: Deprecation | null
}) {
  const [isChoosing, setChoosing] = useState(false)
  const refusal = useRefusal('manage themes')
  const choose = (
    <Button ref={themeSpot} refusal={refusal} onClick={() => setChoosing(true)}>
      {chosen ? t('Choose another') : t('Choose a theme')}
    </Button>
  )
  return (
    <section className="theme-in-use" aria-labelledby="theme-in-use">
      <h2 id="theme-in-use">{t('Used by this project')}</h2>
      {chosen?.theme_status === 'deprecated' ? (
        <Notice
          look="warning"
          title={t('{name} is deprecated', { name: `${chosen.theme_name} ${chosen.version}` })}
          action={choose}
        >
          {deprecation ? (
            <Ending deprecation={deprecation} />
          ) : (
            t("The publisher retired this version. Once you switch, you can't return.")
          )}
        </Notice>
      ) : (
        <div className="theme-chosen">
          {chosen ? <MonitorCheck aria-hidden="true" /> : <MonitorOff aria-hidden="true" />}
          {chosen ? (
            <Offered version={chosen} />
          ) : (
            <p>
              <strong>{t('None yet', { as: 'theme' })}</strong>
              <span className="theme-from">{t('Websites use the default look.')}</span>
            </p>
          )}
          {choose}
        </div>
      )}
      {isChoosing && <ChooseDialog chosen={chosen} onClose={() => setChoosing(false)} />}
    </section>
  )
}

/** What the operator said about the version. */
const Ending = ({ deprecation: { reason, deadline, replacement } }: { deprecation: Deprecation }) => (
  <>
    <span className="theme-said" dir="auto">
      {reason}
    </span>
    {replacement === null
      ? t("Choose another by {day}. Once you switch, you can't return.", { day: deadlineInText(deadline) })
      : t("Switch to {theme} by {day}. Once you switch, you can't return.", {
          theme: `${replacement.theme_name} ${replacement.version}`,
          day: deadlineInText(deadline),
        })}
  </>
)

const Offered = ({ version }: { version: OfferedVersion }) => (
  <p>
    <strong dir="auto">
      {version.theme_name} {version.version}
    </strong>
    <span className="theme-from">{t('published {day}', { day: dayInText(version.published_at) })}</span>
  </p>
)

function ChooseDialog({ chosen, onClose }: { chosen: OfferedVersion | null; onClose(): void }) {
  const query = usePages(`${themes}/versions/browse`, { limit: 50 }, { refetchOnMount: 'always' })
  const choose = useChoose()
  const offered = query.data?.pages.flatMap((page) => page.versions)
  return (
    <Dialog title={t('Choose a theme')} onClose={onClose}>
      <Reading
        query={{ ...query, data: offered }}
        failed={t('The themes could not be loaded')}
        skeleton={<SkeletonRows rows={3} />}
      >
        {(versions) =>
          versions.length === 0 ? (
            <p className="theme-from">
              {t('No project has published a version yet; publish one of your own first.')}
            </p>
          ) : (
            <ul className="theme-offers" aria-label={t('Published versions')}>
              {versions.map((one) => (
                <li key={one.version_id}>
                  <Offered version={one} />
                  {one.version_id === chosen?.version_id ? (
                    <span className="theme-used">{t('in use')}</span>
                  ) : (
                    <Button isBusy={choose.isPending} onClick={() => choose.use(one, onClose)}>
                      {t('Use')}
                      <span className="visually-hidden">
                        {' '}
                        {one.theme_name} {one.version}
                      </span>
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
