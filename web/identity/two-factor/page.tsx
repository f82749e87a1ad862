import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Redirect, useLocation, useSearchParams } from 'wouter'
import { clientOf, identity } from '../../data/client.ts'
import { fieldErrors, showFailure } from '../../data/failure.ts'
import type { Me } from '../../data/project.tsx'
import { Failed } from '../../data/reading.tsx'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { dismissTopic } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { Entrance, Hint, localPath } from '../entrance.tsx'
import { useMe } from '../me.ts'
import { NewRecoveryCodes, useNewRecoveryCodes } from '../new-recovery-codes.tsx'
import { OwnPassword } from '../own-password.tsx'
import { ConfirmSecondFactor, secondFactorTopic } from '../second-factor-setup.tsx'
import { SignOut } from '../sign-out.tsx'
import './page.css'

/** Sets up two-factor authentication outside of any project, for superadmins who need it, and leads back. */
export default function TwoFactorPage() {
  return (
    <Entrance title={t('Two-factor authentication')} heading={t('Set up two-factor authentication')}>
      <Steps />
    </Entrance>
  )
}

function Steps() {
  const cache = useQueryClient()
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const { data: me, error, refetch } = useMe()
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const codes = useNewRecoveryCodes()
  const to = localPath(search.get('to'))
  const leave = () => {
    // The person may now read more than before.
    cache.clear()
    navigate(to, { replace: true })
  }
  if (error)
    return (
      <Failed what={t('Your account could not be loaded')} error={error} onRetry={() => void refetch()} />
    )
  if (!me) return null
  if (codes.codes)
    return (
      <div className="two-factor">
        <NewRecoveryCodes codes={codes.codes} email={me.user.email} onDone={leave} />
      </div>
    )
  if (me.user.second_factor) return <Redirect to={to} replace />
  if (setup)
    return <ConfirmSecondFactor {...setup} onCancel={() => setSetup(undefined)} onDone={codes.show} />
  return <AskPassword me={me} onDone={setSetup} />
}

function AskPassword({ me, onDone }: { me: Me; onDone(setup: { secret: string; uri: string }): void }) {
  const [password, setPassword] = useState('')
  const beginning = useMutation({
    mutationFn: () => clientOf().call(`${identity}/second-factor/begin`, { password }),
    onSuccess(setup) {
      dismissTopic(secondFactorTopic)
      onDone(setup)
    },
    onError(error) {
      if (fieldErrors(error)['password'] === undefined)
        showFailure(t('Nothing was changed'), error, secondFactorTopic)
    },
  })
  const { form, errors } = useRefusedFields(beginning.error, { password })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    beginning.mutate()
  }
  const hasProject = me.current_project !== null || me.memberships.length > 0
  return (
    <form ref={form} onSubmit={submit} className="entrance-form">
      <Hint>
        {me.user.second_factor_needed
          ? t('Superadmins need a code from their phone in addition to their password.')
          : t('Adds a code from your phone at sign-in.')}
      </Hint>
      <OwnPassword value={password} error={errors['password']} onChange={setPassword} />
      <Button type="submit" look="primary" isBusy={beginning.isPending}>
        {t('Continue')}
      </Button>
      {hasProject ? <ButtonLink href="/">{t('Not now')}</ButtonLink> : <SignOut />}
    </form>
  )
}
