import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { identity } from '../../data/client.ts'
import { fieldErrors, showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRefusedFields } from '../../data/refused-fields.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { dismissTopic, showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { NewRecoveryCodes, useNewRecoveryCodes } from '../new-recovery-codes.tsx'
import { OwnPassword } from '../own-password.tsx'
import { ConfirmSecondFactor, secondFactorTopic } from '../second-factor-setup.tsx'

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
  const codes = useNewRecoveryCodes()
  const isOn = me.user.second_factor
  const heading = useRef<HTMLHeadingElement>(null)
  const refresh = () => cache.invalidateQueries({ queryKey: [id], predicate: isIdentity })
  return (
    <section className="account-section" aria-labelledby="account-second-factor">
      <h2 ref={heading} id="account-second-factor" tabIndex={-1}>
        {t('Two-factor authentication')}
      </h2>
      {codes.codes && (
        <NewRecoveryCodes
          codes={codes.codes}
          email={me.user.email}
          onDone={() => {
            // Else the nearest button would get the focus, and it turns the protection off.
            heading.current?.focus()
            codes.forget()
          }}
        />
      )}
      {!codes.codes && setup && (
        <ConfirmSecondFactor
          {...setup}
          onCancel={() => setSetup(undefined)}
          onDone={(made) => {
            setSetup(undefined)
            codes.show(made)
            void refresh()
          }}
        />
      )}
      {!codes.codes && !setup && (
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
            else if (answer.codes) codes.show(answer.codes)
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
  const { client, me } = useProject()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [isRecovery, setRecovery] = useState(false)
  const [endsOthers, setEndsOthers] = useState(true)
  const asking = useMutation({
    mutationFn: async (): Promise<Answer> => {
      const proof = { code: code.trim(), is_recovery: isRecovery }
      if (asked === 'begin')
        return { setup: await client.call(`${identity}/second-factor/begin`, { password }) }
      if (asked === 'regenerate-codes')
        return {
          codes: (await client.call(`${identity}/second-factor/regenerate-codes`, { password, ...proof }))
            .recovery_codes,
        }
      await client.call(`${identity}/second-factor/disable`, {
        password,
        ...proof,
        end_other_sessions: endsOthers,
      })
      return {}
    },
    onSuccess(answer) {
      dismissTopic(secondFactorTopic)
      onDone(answer)
    },
    onError(error) {
      if (Object.keys(fieldErrors(error)).length === 0)
        showFailure(t('Nothing was changed'), error, secondFactorTopic)
    },
  })
  const { form, errors } = useRefusedFields(asking.error, { password, code })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    asking.mutate()
  }
  return (
    <Dialog title={words[asked].title} onClose={onClose}>
      <form ref={form} onSubmit={submit}>
        {asked === 'regenerate-codes' && <p>{t('Your current codes stop working.')}</p>}
        {asked === 'disable' && me.user.superadmin && (
          <p>{t('Superadmin pages stay closed until you set it up again.')}</p>
        )}
        <OwnPassword value={password} error={errors['password']} onChange={setPassword} />
        {asked !== 'begin' && (
          <>
            <Field
              label={isRecovery ? t('Recovery code') : t('6-digit code')}
              inputMode={isRecovery ? 'text' : 'numeric'}
              autoComplete="one-time-code"
              required
              value={code}
              error={errors['code']}
              onChange={(event) => setCode(event.target.value)}
            />
            <Button
              look="quiet"
              onClick={() => {
                setCode('')
                setRecovery(!isRecovery)
              }}
            >
              {isRecovery ? t('Use the authenticator app') : t('Use a recovery code')}
            </Button>
          </>
        )}
        {asked === 'disable' && (
          <label className="account-choice">
            <input
              type="checkbox"
              checked={endsOthers}
              onChange={(event) => setEndsOthers(event.target.checked)}
            />
            {t('End all other sessions')}
          </label>
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look={asked === 'disable' ? 'danger' : 'primary'} isBusy={asking.isPending}>
            {words[asked].action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
