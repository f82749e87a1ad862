import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { identity, signInClient } from '../../data/client.ts'
import { failureOf, fieldCodes } from '../../data/failure.ts'
import { Failed } from '../../data/reading.tsx'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { Ending } from '../ending.tsx'
import { Entrance, Hint, Problem } from '../entrance.tsx'
import { firstAnswers } from '../kept-answers.ts'
import { useLinkSecret } from '../link-secret.ts'
import { useInstallation } from '../mail-way.ts'
import { useMe } from '../me.ts'
import { OutboxHint } from '../outbox-hint.tsx'
import { SignOut } from '../sign-out.tsx'
import { NewAccountForm } from './form.tsx'

/** Asks for an address first; the link in the mail leads back here and on to the account. */
export default function SignUpPage() {
  const token = useLinkSecret()
  return (
    <Entrance title={t('Sign up')} heading={t('Create your account')}>
      {token === '' ? <AskForLink /> : <Confirmed key={token} token={token} />}
    </Entrance>
  )
}

const toSignIn = <ButtonLink href="/sign-in">{t('Back to sign-in')}</ButtonLink>

const Off = () => (
  <Ending title={t("You can't sign up here")} action={toSignIn}>
    {t('Ask someone who uses Cardinal to invite you.')}
  </Ending>
)

function AskForLink() {
  const { data } = useInstallation()
  const { data: me } = useMe()
  const [email, setEmail] = useState(() => firstAnswers({ email: '' }).email)
  const asking = useMutation({
    mutationFn: () => signInClient.call(`${identity}/sign-up/request`, { email }),
  })
  const { form, codes } = useRefusedFields(asking.error, { email })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!asking.isPending) asking.mutate()
  }
  if (me)
    return (
      <Ending
        title={t("You're signed in")}
        action={
          <>
            <ButtonLink href="/">{t('Open Cardinal')}</ButtonLink>
            <SignOut />
          </>
        }
      >
        {rich("You're signed in as {email}. To create another account, sign out first.", {
          email: <strong dir="auto">{me.user.email}</strong>,
        })}
      </Ending>
    )
  if (data && (data.sign_up === 'off' || data.mail === 'none')) return <Off />
  if (asking.isSuccess)
    return (
      <>
        <Ending title={t('Check your email')} action={toSignIn}>
          {rich('We sent an email to {email}. Open the link in it within 24 hours.', {
            email: <strong dir="auto">{email}</strong>,
          })}
        </Ending>
        <OutboxHint way={data?.mail} />
      </>
    )
  return (
    <form ref={form} onSubmit={submit} className="entrance-form" noValidate>
      <Hint>{t("Enter your email address. We'll send you a link to continue.")}</Hint>
      {asking.error && Object.keys(fieldCodes(asking.error)).length === 0 && (
        <Problem>{failureOf(asking.error).message}</Problem>
      )}
      <Field
        label={t('Email')}
        type="email"
        name="email"
        autoComplete="username"
        autoFocus
        required
        value={email}
        error={
          codes['email'] &&
          (codes['email'] === 'other_domain'
            ? t("You can't sign up with an address of this domain.")
            : t('Enter a valid email address.'))
        }
        onChange={(event) => setEmail(event.target.value)}
      />
      <Button type="submit" look="primary" isBusy={asking.isPending}>
        {t('Continue')}
      </Button>
      <Link href="/sign-in" className="button button-quiet">
        {t('I have an account')}
      </Link>
    </form>
  )
}

/** Forgets the link, which the state of the page keeps. */
function startOver() {
  History.prototype.replaceState.call(history, null, '', location.pathname)
  location.reload()
}

const check = `${identity}/sign-up/check` as const

const isUseless = (error: unknown) => failureOf(error).code === 'sign_up_link_not_found'

function Confirmed({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [0, check, token],
    queryFn: () => signInClient.call(check, { token }),
  })
  /** The link may stop working while the page is open. */
  const [refusal, setRefusal] = useState<unknown>()
  const problem = refusal ?? error
  if (failureOf(problem).code === 'sign_up_off') return <Off />
  if (failureOf(problem).code === 'account_exists')
    return (
      <Ending
        title={t('This address has an account')}
        action={<ButtonLink href="/sign-in">{t('Sign in')}</ButtonLink>}
      >
        {t('Sign in with it to continue.')}
      </Ending>
    )
  if (isUseless(problem))
    return (
      <Ending
        title={t("This link doesn't work")}
        action={<Button onClick={() => startOver()}>{t('Send a new link')}</Button>}
      >
        {t('It was used before, is older than 24 hours, or was not copied completely.')}
      </Ending>
    )
  if (error)
    return <Failed what={t('The link could not be checked')} error={error} onRetry={() => void refetch()} />
  if (!data) return null
  return <NewAccountForm token={token} link={data} onRefused={setRefusal} />
}
