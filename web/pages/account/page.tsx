import { useProject } from '../../data/project.tsx'
import { SignOut } from '../../shell/sign-out.tsx'
import { Page } from '../../ui/page.tsx'
import './page.css'
import { Password } from './password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Theme } from './theme.tsx'

export default function AccountPage() {
  const { me } = useProject()
  return (
    <Page title="Account" width="form" actions={<SignOut />}>
      <p className="account-who">
        <strong dir="auto">{me.user.name}</strong> {me.user.email}
      </p>
      <Theme />
      <Password />
      <SecondFactor />
      <Sessions />
    </Page>
  )
}
