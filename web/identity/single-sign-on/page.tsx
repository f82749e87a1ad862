import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { clientOf, identity, signInClient } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { ConfirmPassword, needsPassword } from '../confirm-password.tsx'
import { Ending } from '../ending.tsx'
import { Entrance, Hint, localPath, Problem } from '../entrance.tsx'
import { useMe } from '../me.ts'
import { SignInForm } from '../sign-in/page.tsx'
import { takeDestination } from './beginning.ts'

const path = `${identity}/single-sign-on/complete` as const

/** Where the identity provider sends the browser back to. */
export default function SingleSignOnPage() {
  return (
    <Entrance title={t('Sign in')} heading={t('Single sign-on')}>
      <Completing />
    </Entrance>
  )
}

/** What the provider sent leaves the address at once, so that nobody copies it along and a reload does not send it again. */
function takeAnswer() {
  const answer = new URLSearchParams(location.search)
  History.prototype.replaceState.call(history, history.state, '', location.pathname)
  return {
    state: answer.get('state') ?? '-',
    code: answer.get('code'),
    iss: answer.get('iss'),
    error: answer.get('error'),
  }
}

function Completing() {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const [answer] = useState(takeAnswer)
  const [to] = useState(() => localPath(takeDestination()))
  const { data, error } = useQuery({
    queryKey: [0, path],
    // A code works once, so it is never sent again.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn() {
      const completed = await signInClient.call(path, answer)
      if (completed.link_token === null) {
        cache.removeQueries({ queryKey: [0, `${identity}/users/me`] })
        navigate(to, { replace: true })
      }
      return completed
    },
  })
  if (error)
    return (
      <Ending
        title={t("You weren't signed in")}
        action={<ButtonLink href="/sign-in">{t('Back to sign-in')}</ButtonLink>}
      >
        {failureOf(error).message}
      </Ending>
    )
  if (!data?.link_token) return null
  return <Linking token={data.link_token} email={data.email} onDone={() => navigate(to, { replace: true })} />
}

/** The account is there, but nobody has confirmed yet that it belongs to the person at the provider. */
function Linking({ token, email, onDone }: { token: string; email: string; onDone(): void }) {
  const cache = useQueryClient()
  const me = useMe()
  const [isConfirming, setConfirming] = useState(false)
  const linking = useMutation({
    mutationFn: () => clientOf().call(`${identity}/single-sign-on/link`, { token }),
    onSuccess() {
      cache.clear()
      onDone()
    },
    onError(error) {
      if (needsPassword(error)) setConfirming(true)
    },
  })
  if (me.isPending) return null
  if (!me.data)
    return (
      <>
        <Hint>
          {rich('{email} already has an account. Sign in once as usual to link it with single sign-on.', {
            email: <strong dir="auto">{email}</strong>,
          })}
        </Hint>
        <SignInForm email={email} isLinking onSignedIn={() => void me.refetch()} />
      </>
    )
  return (
    <div className="entrance-form">
      {linking.error && !isConfirming && <Problem>{failureOf(linking.error).message}</Problem>}
      <Hint>
        {rich("You're signed in as {email}. From now on, single sign-on opens this account.", {
          email: <strong dir="auto">{me.data.user.email}</strong>,
        })}
      </Hint>
      <Button look="primary" isBusy={linking.isPending} onClick={() => linking.mutate()}>
        {t('Link account')}
      </Button>
      {isConfirming && (
        <ConfirmPassword onClose={() => setConfirming(false)} onConfirmed={() => linking.mutate()} />
      )}
    </div>
  )
}
