import { useState } from 'react'
import { area, identity } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { AccountTour } from '../../tour/account-tour.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonRows } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { useInstallation } from '../mail-way.ts'
import { SignOut } from '../sign-out.tsx'
import './page.css'
import { Ai } from './ai.tsx'
import { Theme } from './appearance.tsx'
import { Email } from './email.tsx'
import { LanguageChoice } from './language.tsx'
import { CloseAccount, MyData } from './my-data.tsx'
import { NoPassword } from './no-password.tsx'
import { Notifications } from './notifications.tsx'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { SingleSignOn } from './single-sign-on.tsx'
import { TimeZone } from './time-zone.tsx'

export default function AccountPage() {
  const { me } = useProject()
  const offline = useLostConnection()
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
      <p className="account-who">
        <strong dir="auto">{me.user.name}</strong> {me.user.email}
      </p>
      <Profile />
      <Theme />
      <LanguageChoice />
      <TimeZone />
      <Notifications />
      <AccountTour />
      <Ai />
      <Email />
      {me.user.has_password ? <Password /> : <NoPassword />}
      <Passkeys />
      <SingleSignOn />
      {me.user.has_password && <SecondFactor />}
      <Sessions />
      <MyData />
      <CloseAccount email={me.user.email} refusal={offline} />
    </Page>
  )
}

/** Whether every section has its data or has failed once. They appear together, because a late one would move those below it. */
function useHasLoaded(): boolean {
  const reads = [
    useRead(`${identity}/notifications/get`),
    useRead(`${area}/tour/cards/list`),
    useRead(`${area}/tour/cards/list`, { is_dismissed: true }),
    useInstallation(),
    useRead(`${identity}/passkeys/list`),
    useRead(`${identity}/single-sign-on/list`),
    useRead(`${identity}/sessions/list`),
  ]
  const isLoaded = reads.every(({ isPending, failureCount }) => !isPending || failureCount > 0)
  // A section that is read again stays.
  const [hasLoaded, setLoaded] = useState(isLoaded)
  if (isLoaded && !hasLoaded) setLoaded(true)
  return hasLoaded
}
