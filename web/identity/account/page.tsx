import { type ReactNode, useState } from 'react'
import { area, identity } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { useInstallation } from '../mail-way.ts'
import { SignOut } from '../sign-out.tsx'
import { AccountSections } from './sections.tsx'

/** `tour` is the section about the tour of the open project. */
export default function AccountPage({ tour }: { tour?: ReactNode }) {
  if (!useHasLoaded(tour !== undefined))
    return (
      <Page title={t('Account')} width="form" actions={<SignOut />}>
        <Loading>
          <SkeletonRows rows={10} />
        </Loading>
      </Page>
    )
  return (
    <Page title={t('Account')} width="form" actions={<SignOut />}>
      <AccountSections tour={tour} />
    </Page>
  )
}

/** Whether every section has its data or has failed once. They appear together, because a late one would move those below it. */
function useHasLoaded(hasTour: boolean): boolean {
  const reads = [
    useRead(`${identity}/notifications/get`),
    useRead(`${area}/tour/cards/list`, undefined, { enabled: hasTour }),
    useRead(`${area}/tour/cards/list`, { is_dismissed: true }, { enabled: hasTour }),
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
