import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, Redirect, useLocation, useSearchParams } from 'wouter'
import type { CallFailure } from '#contract/client.ts'
import { signInClient } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { signedOutBy } from '../../data/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { loadable } from '../../ui/loadable.tsx'
import { counted, t } from '../../words/words.ts'
import { canUsePasskeys } from '../can-use-passkeys.ts'
import { Entrance, localPath, Problem } from '../entrance.tsx'
import { firstAnswers } from '../kept-answers.ts'
import { useInstallation } from '../mail-way.ts'
import { useMe } from '../me.ts'
import { beginSingleSignOn } from '../single-sign-on/beginning.ts'
import './page.css'

const Ended = loadable(() => import('./ended.tsx'))
const PasskeySignIn = loadable(() => import('./passkey.tsx'))

export default function SignInPage() {
  return (
    <Entrance title={t('Sign in')} heading={t('Sign in to Cardinal')}>
      <SignInOrRedirect />
    </Entrance>
  )
}

/** Redirects a person who is already signed in. */
function SignInOrRedirect() {
  const [search] = useSearchParams()
  const [, navigate] = useLocation()
  const ended = signedOutBy()
  const { data, error } = useMe({ enabled: ended === undefined })
  if (data) return <Redirect to={localPath(search.get('to'))} replace />
  const code = ended ?? (error ? failureOf(error).code : '')
  return (
    <>
      <NotSetUp />
      {code && <Ended code={code} />}
      <SignInForm onSignedIn={() => navigate(localPath(search.get('to')), { replace: true })} />
      <SignUpLink />
    </>
  )
}

/** Where the operator lets people create accounts, and can mail them. */
function SignUpLink() {
  const { data } = useInstallation()
  if (!data?.is_set_up || data.sign_up === 'off' || data.mail === 'none') return null
  return (
    <Link href="/sign-up" className="button button-quiet">
      {t('Create an account')}
    </Link>
  )
}

/** For the operator of a new installation without accounts. */
function NotSetUp() {
  const { data } = useInstallation()
  if (!data || data.is_set_up) return null
  return (
    <Problem>
      {data.has_link
        ? t("Cardinal isn't set up yet. Open the setup link that the server printed when it started.")
        : t("Cardinal isn't set up yet. The setup link has expired. Restart the server to get a new one.")}
    </Problem>
  )
}

type Step = 'password' | 'code' | 'recovery'

interface FormProps {
  email?: string
  /** They come from the identity provider, so it is not offered again. */
  isLinking?: boolean
  /** Where the identity provider leads back to; by default to the requested page. */
  returnTo?: string
  onSignedIn(): void
}

/** Also for people who follow an invitation or link their account, whose address is `email`. */
export function SignInForm({ email, isLinking = false, returnTo, onSignedIn }: FormProps) {
  const cache = useQueryClient()
  const [credentials, setCredentials] = useState(() => ({
    ...firstAnswers({ email: '', password: '' }),
    ...(email !== undefined && { email }),
  }))
  const [code, setCode] = useState('')
  const [step, setStep] = useState<Step>('password')
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { left: waitSeconds, asked: askedSeconds, wait } = useCountdown()
  const form = useRef<HTMLFormElement>(null)
  /** Leads back to the field that was refused. */
  const select = (name: string) => {
    const field = form.current?.elements.namedItem(name) as HTMLInputElement
    field.focus()
    field.select()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy || waitSeconds > 0) return
    setBusy(true)
    setProblem('')
    const secondFactor = step === 'password' ? {} : { code: code.trim(), is_recovery: step === 'recovery' }
    const result = await signInClient
      .attempt('/v1/authenticate', { ...credentials, ...secondFactor })
      .catch((error: unknown) => ({ ok: undefined, message: failureOf(error).message }))
    setBusy(false)
    if (result.ok) {
      cache.clear()
      return onSignedIn()
    }
    if (result.ok === undefined) return setProblem(result.message)
    if (result.retryAfterSeconds !== undefined) return wait(result.retryAfterSeconds)
    if (result.code === 'second_factor_required' && step === 'password') return setStep('code')
    setProblem(wordsFor(result, step))
    select(step !== 'password' ? 'code' : credentials.email === '' ? 'email' : 'password')
  }
  const turnTo = (next: Step) => {
    setCode('')
    setProblem('')
    setStep(next)
  }
  /** What was refused is being corrected. */
  const onInput = () => setProblem('')

  return (
    <form ref={form} onSubmit={submit} onInput={onInput} className="entrance-form" noValidate>
      {problem && <Problem>{problem}</Problem>}
      {waitSeconds > 0 && (
        // Only the button counts down, because screen readers would read a changing alert every second.
        <Problem>
          {counted(askedSeconds, {
            one: 'Too many attempts. Try again in {count} second.',
            other: 'Too many attempts. Try again in {count} seconds.',
          })}
        </Problem>
      )}
      {step === 'password' ? (
        <PasswordFields
          credentials={credentials}
          hasAddress={email !== undefined}
          onChange={setCredentials}
        />
      ) : (
        <CodeField key={step} step={step} code={code} onChange={setCode} />
      )}
      <Button
        type="submit"
        look="primary"
        isBusy={isBusy}
        refusal={waitSeconds > 0 ? t('Try again in {seconds} s.', { seconds: waitSeconds }) : undefined}
      >
        {waitSeconds > 0
          ? t('Wait {seconds} s', { seconds: waitSeconds })
          : step === 'password'
            ? t('Sign in')
            : t('Confirm')}
      </Button>
      {step === 'password' && !isLinking && <SingleSignOn returnTo={returnTo} onProblem={setProblem} />}
      {step === 'password' && <Passkey onProblem={setProblem} onSignedIn={onSignedIn} />}
      {step === 'password' && <Forgot />}
      {step !== 'password' && (
        <div className="sign-in-ways">
          <Button look="quiet" onClick={() => turnTo(step === 'code' ? 'recovery' : 'code')}>
            {step === 'code' ? t('Use a recovery code') : t('Use the authenticator app')}
          </Button>
          <Button look="quiet" onClick={() => turnTo('password')}>
            {t('Back')}
          </Button>
        </div>
      )}
    </form>
  )
}

/** Offered if the installation has an identity provider. */
function SingleSignOn({
  returnTo,
  onProblem,
}: {
  returnTo: string | undefined
  onProblem(problem: string): void
}) {
  const { data } = useInstallation()
  const [search] = useSearchParams()
  const beginning = useMutation({
    mutationFn: () => beginSingleSignOn(returnTo ?? localPath(search.get('to'))),
    onError: (error) => onProblem(failureOf(error).message),
  })
  if (!data?.single_sign_on) return null
  return (
    <Button isBusy={beginning.isPending || beginning.isSuccess} onClick={() => beginning.mutate()}>
      {t('Continue with {provider}', { provider: data.single_sign_on })}
    </Button>
  )
}

/** Offered where passkeys can work. */
function Passkey(props: { onProblem(problem: string): void; onSignedIn(): void }) {
  const { data } = useInstallation()
  return data?.is_set_up && canUsePasskeys(data.passkey_origin) ? <PasskeySignIn {...props} /> : null
}

/** A link cannot be sent without mail, and then an administrator sets a new password. */
function Forgot() {
  const { data } = useInstallation()
  if (!data?.is_set_up || data.mail === 'none') return null
  return (
    <Link href="/forgot-password" className="button button-quiet">
      {t('Forgot password?')}
    </Link>
  )
}

interface Credentials {
  email: string
  password: string
}

function PasswordFields({
  credentials,
  hasAddress,
  onChange,
}: {
  credentials: Credentials
  hasAddress: boolean
  onChange(next: Credentials): void
}) {
  return (
    <>
      <Field
        label={t('Email')}
        type="email"
        name="email"
        // The browser suggests passkeys here.
        autoComplete="username webauthn"
        autoFocus={!hasAddress}
        readOnly={hasAddress}
        required
        value={credentials.email}
        onChange={(event) => onChange({ ...credentials, email: event.target.value })}
      />
      <Field
        label={t('Password')}
        type="password"
        name="password"
        autoComplete="current-password"
        autoFocus={hasAddress}
        required
        value={credentials.password}
        onChange={(event) => onChange({ ...credentials, password: event.target.value })}
      />
    </>
  )
}

function CodeField({ step, code, onChange }: { step: Step; code: string; onChange(code: string): void }) {
  const isRecovery = step === 'recovery'
  return (
    <Field
      label={isRecovery ? t('Recovery code') : t('6-digit code')}
      hint={isRecovery ? t('Each recovery code works once.') : t('From your authenticator app.')}
      name="code"
      autoComplete="one-time-code"
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoFocus
      required
      value={code}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const wrongCode: Record<Exclude<Step, 'password'>, string> = {
  code: t('Incorrect code. Try the next one.'),
  recovery: t('This recovery code is incorrect or already used. Try another one.'),
}

function wordsFor({ code, codes, status, message }: CallFailure['refusal'], step: Step): string {
  if (code === 'wrong_credentials') return t('Incorrect email or password.')
  if (code === 'wrong_code' && step !== 'password') return wrongCode[step]
  if (Object.keys(codes).length > 0) return t('Enter your email and password.')
  if (status >= 500) return t('Something went wrong on our side. Try again in a moment.')
  return message
}

/** A countdown in seconds. */
function useCountdown() {
  const [{ left, asked }, setSeconds] = useState({ left: 0, asked: 0 })
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setSeconds({ left: left - 1, asked }), 1000)
    return () => clearTimeout(timer)
  }, [left, asked])
  return { left, asked, wait: (seconds: number) => setSeconds({ left: seconds, asked: seconds }) }
}
