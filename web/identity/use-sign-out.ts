import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { clientOf, identity } from '../data/client.ts'
import { forgetDrafts } from '../drafts/drafts.ts'
import { showFailure } from '../ui/toast.tsx'

/** Ends this session and forgets what was read and written in it. */
export function useSignOut(): () => Promise<void> {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  return async () => {
    try {
      await clientOf().call(`${identity}/sessions/revoke`)
      forgetDrafts()
      cache.clear()
      navigate('/sign-in')
    } catch (error) {
      showFailure('You are still signed in', error)
    }
  }
}
