import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { encode } from 'uqr'
import { clientOf, identity } from '../data/client.ts'
import { failureOf, fieldErrors, showFailure } from '../data/failure.ts'
import { useRefusedFields } from '../data/refused-fields.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { dismissTopic } from '../ui/toast.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import './second-factor-setup.css'

/** The failures of all its steps: the step that works next takes them away, else they would cover the recovery codes. */
export const secondFactorTopic = 'second factor'

interface SetupProps {
  secret: string
  uri: string
  onCancel(): void
  onDone(codes: string[]): void
}

/** Shows the secret of `begin`, and confirms a code of it. */
export function ConfirmSecondFactor({ secret, uri, onCancel, onDone }: SetupProps) {
  const [code, setCode] = useState('')
  const confirming = useMutation({
    mutationFn: () => clientOf().call(`${identity}/second-factor/confirm`, { code: code.trim() }),
    onSuccess({ recovery_codes }) {
      dismissTopic(secondFactorTopic)
      onDone(recovery_codes)
    },
    onError(error) {
      if (fieldErrors(error)['code'] !== undefined) return
      showFailure(t('Two-factor authentication was not turned on'), error, secondFactorTopic)
      if (failureOf(error).code === 'second_factor_setup_expired') onCancel()
    },
  })
  const { form, errors } = useRefusedFields(confirming.error, { code })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirming.mutate()
  }
  return (
    <div className="account-setup">
      <QrCode text={uri} />
      <form ref={form} onSubmit={submit}>
        <p className="account-hint">
          {rich('Scan the QR code with your authenticator app, or enter this key: {secret}', {
            secret: <span className="account-secret">{secret}</span>,
          })}
        </p>
        <Field
          label={t('6-digit code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          required
          value={code}
          error={errors['code']}
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
