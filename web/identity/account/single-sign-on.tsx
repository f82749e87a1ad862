import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { identity } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Ago, dayInText } from '../../ui/time.tsx'
import { dismissTopic, showToast } from '../../ui/toast.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { ConfirmPassword, needsPassword } from '../confirm-password.tsx'

const topic = 'single sign-on'
const listPath = `${identity}/single-sign-on/list` as const

/** Shown to people whose account is linked. */
export function SingleSignOn() {
  const { id, client } = useProject()
  const cache = useQueryClient()
  const { data } = useRead(listPath)
  const [unlinked, setUnlinked] = useState<string>()
  /** What was refused until the person has confirmed who they are. */
  const [refused, setRefused] = useState<() => void>()
  const unlinking = useMutation({
    mutationFn: (issuer: string) => client.call(`${identity}/single-sign-on/unlink`, { issuer }),
    onSuccess() {
      dismissTopic(topic)
      showToast(t('Account unlinked'))
      return cache.invalidateQueries({ queryKey: [id, listPath] })
    },
    onError(error, issuer) {
      if (needsPassword(error)) setRefused(() => () => unlinking.mutate(issuer))
      else showFailure(t('The account was not unlinked'), error, topic)
    },
  })
  if (!data || data.providers.length === 0) return null
  return (
    <section className="account-section" aria-labelledby="account-single-sign-on">
      <h2 id="account-single-sign-on">{t('Single sign-on')}</h2>
      <ul className="account-sessions" aria-labelledby="account-single-sign-on">
        {data.providers.map(({ issuer, linked_at: linkedAt, last_used_at: lastUsedAt }) => (
          <li key={issuer}>
            <div>
              <p dir="auto">{hostOf(issuer)}</p>
              <p>
                {t('linked {day}', { day: dayInText(linkedAt) })} ·{' '}
                {rich('last used {ago}', { ago: <Ago at={lastUsedAt} /> })}
              </p>
            </div>
            <div className="account-buttons">
              <Button onClick={() => setUnlinked(issuer)}>
                {rich('Unlink…<hidden> {name}</hidden>', { hidden, name: hostOf(issuer) })}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {unlinked !== undefined && (
        <Confirm
          title={t('Unlink account')}
          action={t('Unlink')}
          isDanger
          onClose={() => setUnlinked(undefined)}
          onConfirm={() => unlinking.mutate(unlinked)}
        >
          <p>
            {rich('You can no longer sign in with {name}. To link it again, use single sign-on at sign-in.', {
              name: <strong dir="auto">{hostOf(unlinked)}</strong>,
            })}
          </p>
        </Confirm>
      )}
      {refused && <ConfirmPassword onClose={() => setRefused(undefined)} onConfirmed={refused} />}
    </section>
  )
}

const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>

/** People know a provider by its host. */
const hostOf = (issuer: string) => URL.parse(issuer)?.host ?? issuer
