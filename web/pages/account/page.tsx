import { useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useLocation } from 'wouter'
import { identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { showFailure } from '../../ui/toast.tsx'
import './page.css'
import { Password } from './password.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { Theme } from './theme.tsx'

export default function AccountPage() {
  const { me, client } = useProject()
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const signOut = async () => {
    try {
      await client.call(`${identity}/sessions/revoke`)
      cache.clear()
      navigate('/sign-in')
    } catch (error) {
      showFailure('You are still signed in', error)
    }
  }
  return (
    <Page
      title="Account"
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
