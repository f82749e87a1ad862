import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { encode } from 'uqr'
import { useSearchParams } from 'wouter'
import { identity } from '../../data/client.ts'
import { fieldErrors, showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'

type Asked = 'begin' | 'disable' | 'regenerate-codes'

export function SecondFactor() {
  const { id, me } = useProject()
  const cache = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const [chosen, setAsked] = useState<Asked>()
  // The warning about few codes leads here.
  const isOffered = me.user.second_factor && search.get('new') === 'recovery-codes'
  const asked = chosen ?? (isOffered ? 'regenerate-codes' : undefined)
  const close = () => {
    setAsked(undefined)
    if (isOffered) setSearch({}, { replace: true })
  }
  const [setup, setSetup] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<string[]>()
  const isOn = me.user.second_factor
  const refresh = () => cache.invalidateQueries({ queryKey: [id], predicate: isIdentity })
  return (
    <section className="account-section" aria-labelledby="account-second-factor">
      <h2 id="account-second-factor">{t('Two-factor authentication')}</h2>
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />}
      {!codes && setup && (
        <Setup
          {...setup}
          onCancel={() => setSetup(undefined)}
          onDone={(made) => {
            setSetup(undefined)
            setCodes(made)
            void refresh()
          }}
        />
      )}
      {!codes && !setup && (
        <>
          <p>
            {isOn
              ? t('On. Sign-in asks for a code from your authenticator app.')
              : t('Adds a code from your phone at sign-in.')}
          </p>
          <div className="account-buttons">
            {isOn ? (
              <>
                <Button onClick={() => setAsked('regenerate-codes')}>{t('New recovery codes')}</Button>
                <Button look="danger" onClick={() => setAsked('disable')}>
                  {t('Turn off')}
                </Button>
              </>
            ) : (
              <Button onClick={() => setAsked('begin')}>{t('Set up')}</Button>
            )}
          </div>
        </>
      )}
      {asked && (
        <AskPassword
          asked={asked}
          onClose={close}
          onDone={(answer) => {
            close()
            if (answer.setup) setSetup(answer.setup)
            else if (answer.codes) setCodes(answer.codes)
            else showToast(t('Two-factor authentication is off'))
            void refresh()
          }}
        />
      )}
    </section>
  )
}

const isIdentity = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  String(queryKey[1]).startsWith(identity)

type Answer = { setup?: { secret: string; uri: string }; codes?: string[] }

const words: Record<Asked, { title: string; action: string }> = {
  begin: { title: t('Set up two-factor authentication'), action: t('Continue') },
  disable: { title: t('Turn off two-factor authentication'), action: t('Turn off') },
  'regenerate-codes': { title: t('New recovery codes'), action: t('Create new codes') },
}

function AskPassword(props: { asked: Asked; onClose(): void; onDone(answer: Answer): void }) {
  const { asked, onClose, onDone } = props
  const { client } = useProject()
  const [password, setPassword] = useState('')
  const asking = useMutation({
    mutationFn: async (): Promise<Answer> => {
      if (asked === 'begin')
        return { setup: await client.call(`${identity}/second-factor/begin`, { password }) }
      if (asked === 'regenerate-codes')
        return {
          codes: (await client.call(`${identity}/second-factor/regenerate-codes`, { password }))
            .recovery_codes,
        }
      await client.call(`${identity}/second-factor/disable`, { password })
      return {}
    },
    onSuccess: onDone,
    onError(error) {
      if (fieldErrors(error)['password'] === undefined) showFailure(t('Nothing was changed'), error)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <Dialog title={words[asked].title} onClose={onClose}>
      <form onSubmit={submit}>
        {asked === 'regenerate-codes' && <p>{t('Your current codes stop working.')}</p>}
        <Field
          label={t('Your password')}
          type="password"
          autoComplete="current-password"
          autoFocus
          required
          value={password}
          error={fieldErrors(asking.error)['password']}
          onChange={(event) => setPassword(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={asking.isPending}>
            {words[asked].action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface SetupProps {
  secret: string
  uri: string
  onCancel(): void
  onDone(codes: string[]): void
}

function Setup({ secret, uri, onCancel, onDone }: SetupProps) {
  const { client } = useProject()
  const [code, setCode] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const confirming = useMutation({
    mutationFn: () => client.call(`${identity}/second-factor/confirm`, { code: code.trim() }),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    onError(error) {
      if (fieldErrors(error)['code'] === undefined)
        return showFailure(t('Two-factor authentication was not turned on'), error)
      setCode('')
      field.current?.focus()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate()
  }
  return (
    <div className="account-setup">
      <QrCode text={uri} />
      <form onSubmit={submit}>
        <p className="account-hint">
          {rich('Scan the QR code with your authenticator app, or enter this key: {secret}', {
            secret: <span className="account-secret">{secret}</span>,
          })}
        </p>
        <Field
          ref={field}
          label={t('6-digit code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
          value={code}
          error={fieldErrors(confirming.error)['code']}
          onChange={(event) => setCode(event.target.value)}
        />
        <div className="account-buttons">
          <Button type="submit" look="primary" isBusy={confirming.isPending}>
            {t('Turn on')}
          </Button>
          <Button onClick={onCancel}>{t('Cancel')}</Button>
        </div>
      </form>
    </div>
  )
}

/** Drawn in the browser, so that the secret is sent nowhere. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text)
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('')
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" shapeRendering="crispEdges">
      <title>{t('QR code with the secret for your authenticator app')}</title>
      <path d={path} fill="black" />
    </svg>
  )
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone(): void }): ReactNode {
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(() => showToast(t('Recovery codes copied')))
  return (
    <>
      <p>
        {t(
          "Save these recovery codes in a safe place. You won't see them again. Each code works once if you lose your authenticator app.",
        )}
      </p>
      <ul className="account-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="account-buttons">
        <Button onClick={() => void copy()}>{t('Copy')}</Button>
        <Button look="primary" onClick={onDone}>
          {t("I've saved these codes")}
        </Button>
      </div>
    </>
  )
}
