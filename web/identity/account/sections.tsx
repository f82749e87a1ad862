import type { ReactNode } from 'react'
import { useLostConnection, useProject } from '../../data/project.tsx'
import './page.css'
import { Ai } from './ai.tsx'
import { Appearance } from './appearance.tsx'
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

/** Everything about the person's account; `tour` is the section about the open project. */
export function AccountSections({ tour }: { tour?: ReactNode }) {
  const { me } = useProject()
  const offline = useLostConnection()
  return (
    <>
      <p className="account-who">
        <strong dir="auto">{me.user.name}</strong> {me.user.email}
      </p>
      <Profile />
      <Appearance />
      <LanguageChoice />
      <TimeZone />
      <Notifications />
      {tour}
      <Ai />
      <Email />
      {me.user.has_password ? <Password /> : <NoPassword />}
      <Passkeys />
      <SingleSignOn />
      {me.user.has_password && <SecondFactor />}
      <Sessions />
      <MyData />
      <CloseAccount email={me.user.email} refusal={offline} />
    </>
  )
}
