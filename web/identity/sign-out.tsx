import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { clientOf, identity } from '../data/client.ts'
import { showFailure } from '../data/failure.ts'
import { forgetOwn } from '../data/own-storage.ts'
import { forgetPerson } from '../data/query-client.ts'
import { forgetDrafts } from '../drafts/drafts.ts'
import { countDrafts } from '../drafts/stored.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { dismissTopic } from '../ui/toast.tsx'
import { counted, t } from '../words/words.ts'

export function SignOut() {
  const { ask, dialog } = useSignOut()
  return (
    <>
      <Button icon={<LogOut />} onClick={ask}>
        {t('Sign out')}
      </Button>
      {dialog}
    </>
  )
}

/** Signs out, and asks first if drafts would be lost. */
export function useSignOut() {
  const signOut = useEndSession()
  const [lost, setLost] = useState(0)
  const ask = () => {
    const drafts = countDrafts()
    if (drafts === 0) void signOut()
    else setLost(drafts)
  }
  const dialog = lost > 0 && (
    <Confirm
      title={t('Sign out')}
      action={counted(lost, {
        one: 'Delete {count} draft and sign out',
        other: 'Delete {count} drafts and sign out',
      })}
      isDanger
      onClose={() => setLost(0)}
      onConfirm={() => void signOut()}
    >
      <p>
        {counted(lost, {
          one: 'You have {count} unsaved draft in this browser. Signing out deletes it.',
          other: 'You have {count} unsaved drafts in this browser. Signing out deletes them.',
        })}
      </p>
    </Confirm>
  )
  return { ask, dialog }
}

const topic = 'sign-out'

/** Ends this session and clears its cached data, its drafts and what this browser remembers for the person. */
function useEndSession(): () => Promise<void> {
  const [, navigate] = useLocation()
  return async () => {
    try {
      await clientOf().call(`${identity}/sessions/revoke`)
      dismissTopic(topic)
      forgetDrafts()
      forgetOwn()
      forgetPerson()
      navigate('/sign-in')
    } catch (error) {
      showFailure(t('You are still signed in'), error, topic)
    }
  }
}
