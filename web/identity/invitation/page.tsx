import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { clientOf, identity, type Output, signInClient } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { Failed } from '../../data/reading.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { personName } from '../../ui/person-name.ts'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { Ending } from '../ending.tsx'
import { Entrance, Hint, Problem } from '../entrance.tsx'
import { useLinkSecret } from '../link-secret.ts'
import { useMe } from '../me.ts'
import { roleNames } from '../role-names.ts'
import { SignInForm } from '../sign-in/page.tsx'
import { SignUpForm } from './sign-up.tsx'

const lookUp = `${identity}/invitations/look-up` as const

export type Invitation = Output<typeof lookUp>['invitation']

/** The page of the link in an invitation. */
export default function InvitationPage() {
  const token = useLinkSecret()
  return (
    <Entrance title={t('Invitation')} heading={t('Join a project')}>
      <Invited key={token} token={token} />
    </Entrance>
  )
}

function Invited({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [0, lookUp, token],
    queryFn: () => signInClient.call(lookUp, { token }),
    enabled: token !== '',
  })
  /** The link may stop working while the page is open. */
  const [refusal, setRefusal] = useState<unknown>()
  const problem = refusal ?? error
  if (token === '' || isUseless(problem)) return <Useless code={failureOf(problem).code} />
  if (error)
    return (
      <Failed what={t('The invitation could not be loaded')} error={error} onRetry={() => void refetch()} />
    )
  if (!data) return null
  return (
    <>
      <Hint>
        {rich('{inviter} invited {email} to {project} as {role}.', {
          inviter: <strong dir="auto">{personName(data.invitation.inviter_name)}</strong>,
          email: <strong dir="auto">{data.invitation.email}</strong>,
          project: <strong dir="auto">{data.invitation.project_name}</strong>,
          role: roleNames[data.invitation.role],
        })}
      </Hint>
      <Joining token={token} invitation={data.invitation} onRefused={setRefusal} />
    </>
  )
}

const isUseless = (error: unknown) => failureOf(error).code.startsWith('invitation_')

function Useless({ code }: { code: string }) {
  if (code === 'invitation_used')
    return (
      <Ending
        title={t('This invitation was already used')}
        action={<ButtonLink href="/">{t('Open Cardinal')}</ButtonLink>}
      >
        {t("If you accepted it, you're a member. Open Cardinal to get to work.")}
      </Ending>
    )
  if (code === 'invitation_expired')
    return (
      <Ending title={t('This invitation has expired')}>
        {t('Invitations work for 7 days. Ask the person who invited you to send it again.')}
      </Ending>
    )
  if (code === 'invitation_revoked')
    return (
      <Ending title={t('This invitation was revoked')}>
        {t('Ask the person who invited you if that was a mistake.')}
      </Ending>
    )
  if (code === 'invitation_archived')
    return (
      <Ending title={t('This project is archived')}>
        {t('You can join when the operator of Cardinal has brought it back, with the same link.')}
      </Ending>
    )
  return (
    <Ending title={t("This link doesn't work")}>
      {t(
        'It was not copied completely, or a newer invitation has replaced it. Open the link in the latest email.',
      )}
    </Ending>
  )
}

interface Props {
  token: string
  invitation: Invitation
  onRefused(error: unknown): void
}

/** What to do depends on whether the address has an account, and on who is signed in. */
function Joining({ token, invitation, onRefused }: Props) {
  const me = useMe()
  const [isJoining, setJoining] = useState(false)
  if (me.isPending) return null
  const signedInAs = me.data?.user.email
  if (signedInAs?.toLowerCase() === invitation.email.toLowerCase())
    return <Join token={token} invitation={invitation} isAtOnce={isJoining} onRefused={onRefused} />
  if (signedInAs !== undefined) return <OtherAccount email={invitation.email} signedInAs={signedInAs} />
  if (invitation.has_account)
    return (
      <SignInForm
        email={invitation.email}
        // The browser keeps the secret while it is away; this page takes it out of the address again.
        returnTo={`/invitation#${token}`}
        onSignedIn={() => {
          setJoining(true)
          void me.refetch()
        }}
      />
    )
  return <SignUpForm token={token} invitation={invitation} onRefused={onRefused} />
}

function Join({ token, invitation, isAtOnce, onRefused }: Props & { isAtOnce: boolean }) {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const joining = useMutation({
    mutationFn: () => clientOf().call(`${identity}/invitations/accept`, { token }),
    onSuccess({ project_id }) {
      cache.clear()
      navigate(`/p/${project_id}/home`, { replace: true })
    },
    onError(error) {
      if (isUseless(error)) onRefused(error)
    },
  })
  const { mutate: join } = joining
  // Somebody who has just signed in for this need not be asked again.
  useEffect(() => {
    if (isAtOnce) join()
  }, [isAtOnce, join])
  return (
    <div className="entrance-form">
      {joining.error && <Problem>{failureOf(joining.error).message}</Problem>}
      <Button look="primary" isBusy={joining.isPending} onClick={() => join()}>
        {t('Join {project}', { project: invitation.project_name })}
      </Button>
    </div>
  )
}

function OtherAccount({ email, signedInAs }: { email: string; signedInAs: string }) {
  const cache = useQueryClient()
  const leaving = useMutation({
    mutationFn: () => clientOf().call(`${identity}/sessions/revoke`),
    onSuccess: () => cache.resetQueries(),
  })
  return (
    <Ending
      title={t("You're signed in with another account")}
      action={
        <>
          {leaving.error && <Problem>{failureOf(leaving.error).message}</Problem>}
          <Button look="primary" isBusy={leaving.isPending} onClick={() => leaving.mutate()}>
            {t('Sign out and continue')}
          </Button>
          <ButtonLink href="/">{t('Stay signed in')}</ButtonLink>
        </>
      }
    >
      {rich("The invitation is for {email}. You're signed in as {other}.", {
        email: <strong dir="auto">{email}</strong>,
        other: <strong dir="auto">{signedInAs}</strong>,
      })}
    </Ending>
  )
}
