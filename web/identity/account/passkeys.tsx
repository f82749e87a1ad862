import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { identity, type Output } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { SkeletonRows } from '../../ui/states.tsx'
import { Ago, dayInText } from '../../ui/time.tsx'
import { dismissTopic, showToast } from '../../ui/toast.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { canUsePasskeys } from '../can-use-passkeys.ts'
import { ConfirmPassword, needsPassword } from '../confirm-password.tsx'
import { useInstallation } from '../mail-way.ts'
import { createPasskey, isCanceled, passkeyProblem } from '../passkeys.ts'

const topic = 'passkeys'
const listPath = `${identity}/passkeys/list` as const

type Passkey = Output<typeof listPath>['passkeys'][number]

/** Not shown on an installation where passkeys cannot work. */
export function Passkeys() {
  const { data } = useInstallation()
  return data?.passkey_origin ? <PasskeysAt origin={data.passkey_origin} /> : null
}

function PasskeysAt({ origin }: { origin: string }) {
  const { id, client } = useProject()
  const cache = useQueryClient()
  const query = useRead(listPath)
  const refresh = () => cache.invalidateQueries({ queryKey: [id, listPath] })
  const [renamed, setRenamed] = useState<Passkey>()
  const [removed, setRemoved] = useState<Passkey>()
  /** What was refused until the person has confirmed who they are. */
  const [refused, setRefused] = useState<() => void>()
  const adding = useMutation({
    mutationFn: () => createPasskey(),
    onSuccess() {
      dismissTopic(topic)
      showToast(t('Passkey added'))
      return refresh()
    },
    onError(error) {
      if (isCanceled(error)) return
      if (needsPassword(error)) setRefused(() => () => adding.mutate())
      else if (error instanceof DOMException) showToast(passkeyProblem(error))
      else showFailure(t('The passkey was not added'), error, topic)
    },
  })
  const removing = useMutation({
    mutationFn: ({ id: passkeyId }: Passkey) => client.call(`${identity}/passkeys/remove`, { id: passkeyId }),
    onSuccess() {
      dismissTopic(topic)
      showToast(t('Passkey removed'))
      return refresh()
    },
    onError(error, passkey) {
      if (needsPassword(error)) setRefused(() => () => removing.mutate(passkey))
      else showFailure(t('The passkey was not removed'), error, topic)
    },
  })
  return (
    <section className="account-section" aria-labelledby="account-passkeys">
      <h2 id="account-passkeys">{t('Passkeys')}</h2>
      <p>{t('Sign in with your fingerprint, face or device PIN instead of a password and code.')}</p>
      <Reading
        query={query}
        failed={t('The passkeys could not be loaded')}
        skeleton={<SkeletonRows rows={1} />}
      >
        {({ passkeys }) =>
          passkeys.length > 0 && (
            <ul className="account-sessions" aria-labelledby="account-passkeys">
              {passkeys.map((passkey) => (
                <PasskeyRow
                  key={passkey.id}
                  passkey={passkey}
                  onRename={() => setRenamed(passkey)}
                  onRemove={() => setRemoved(passkey)}
                />
              ))}
            </ul>
          )
        }
      </Reading>
      {canUsePasskeys(origin) ? (
        <div className="account-buttons">
          <Button isBusy={adding.isPending} onClick={() => adding.mutate()}>
            {t('Add a passkey')}
          </Button>
        </div>
      ) : (
        origin !== location.origin && (
          <p>
            {rich('To add one, open {address}.', {
              address: <a href={`${origin}${location.pathname}`}>{origin}</a>,
            })}
          </p>
        )
      )}
      {renamed && (
        <Rename
          passkey={renamed}
          onClose={() => setRenamed(undefined)}
          onDone={() => {
            setRenamed(undefined)
            void refresh()
          }}
        />
      )}
      {removed && (
        <Confirm
          title={t('Remove passkey')}
          action={t('Remove')}
          isDanger
          onClose={() => setRemoved(undefined)}
          onConfirm={() => removing.mutate(removed)}
        >
          <p>
            {rich('You can no longer sign in with {name}. You may also want to delete it on the device.', {
              name: <strong dir="auto">{removed.name}</strong>,
            })}
          </p>
        </Confirm>
      )}
      {refused && <ConfirmPassword onClose={() => setRefused(undefined)} onConfirmed={refused} />}
    </section>
  )
}

const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>

function PasskeyRow({
  passkey: { name, is_synced: isSynced, created_at: createdAt, last_used_at: lastUsedAt },
  onRename,
  onRemove,
}: {
  passkey: Passkey
  onRename(): void
  onRemove(): void
}) {
  return (
    <li>
      <div>
        <p dir="auto">{name}</p>
        <p>
          {isSynced ? t('On several of your devices') : t('On one device')} ·{' '}
          {t('added {day}', { day: dayInText(createdAt) })} ·{' '}
          {lastUsedAt === null
            ? t('not used yet')
            : rich('last used {ago}', { ago: <Ago at={lastUsedAt} /> })}
        </p>
      </div>
      <div className="account-buttons">
        <Button onClick={onRename}>{rich('Rename<hidden> {name}</hidden>', { hidden, name })}</Button>
        <Button onClick={onRemove}>{rich('Remove<hidden> {name}</hidden>', { hidden, name })}</Button>
      </div>
    </li>
  )
}

function Rename({ passkey, onClose, onDone }: { passkey: Passkey; onClose(): void; onDone(): void }) {
  const { client } = useProject()
  const [name, setName] = useState(passkey.name)
  const renaming = useMutation({
    mutationFn: () => client.call(`${identity}/passkeys/rename`, { id: passkey.id, name }),
    onSuccess() {
      dismissTopic(topic)
      onDone()
    },
    onError: (error) => showFailure(t('The passkey was not renamed'), error, topic),
  })
  const submit = () => {
    if (name.trim() !== '') renaming.mutate()
  }
  return (
    <Dialog title={t('Rename passkey')} onClose={onClose}>
      <Form isBusy={renaming.isPending} onSubmit={submit}>
        <Field
          label={t('Name')}
          autoFocus
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={renaming.isPending}>
            {t('Save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
