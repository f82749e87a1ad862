import { useState } from 'react'
import { area, identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { AccountTour } from '../../tour/account-tour.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { useInstallation } from '../mail-way.ts'
import { SignOut } from '../sign-out.tsx'
import { AccountSections } from './sections.tsx'

export default function AccountPage() {
  const { isOperator } = useProject()
  if (!useHasLoaded())
    return (
      <Page title={t('Account')} width="form" actions={<SignOut />}>
        <Loading>
          <SkeletonRows rows={10} />
        </Loading>
      </Page>
    )
  return (
    <Page title={t('Account')} width="form" actions={<SignOut />}>
      <AccountSections tour={!isOperator && <AccountTour />} />
    </Page>
  )
}

/** Whether every section has its data or has failed once. They appear together, because a late one would move those below it. */
function useHasLoaded(): boolean {
  const enabled = !useProject().isOperator
  const reads = [
    useRead(`${identity}/notifications/get`),
    useRead(`${area}/tour/cards/list`, undefined, { enabled }),
    useRead(`${area}/tour/cards/list`, { is_dismissed: true }, { enabled }),
    useInstallation(),
    useRead(`${identity}/passkeys/list`),
    useRead(`${identity}/single-sign-on/list`),
    useRead(`${identity}/sessions/list`),
  ]
  const isLoaded = reads.every(
    ({ isEnabled, isPending, failureCount }) => !isEnabled || !isPending || failureCount > 0,
  )
  // A section that is read again stays.
  const [hasLoaded, setLoaded] = useState(isLoaded)
  if (isLoaded && !hasLoaded) setLoaded(true)
  return hasLoaded
}
