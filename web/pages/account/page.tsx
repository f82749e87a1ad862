import { LogOut } from 'lucide-react'
import { useProject } from '../../data/project.tsx'
import { useSignOut } from '../../data/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import './page.css'
import { Password } from './password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Theme } from './theme.tsx'

export default function AccountPage() {
  const { me } = useProject()
  const signOut = useSignOut()
  return (
    <Page
      title="Account"
      width="form"
      actions={
        <Button icon={<LogOut />} onClick={() => void signOut()}>
          Sign out
        </Button>
      }
    >
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
