import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { programIn } from '#identity/program.ts'
import { identity } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { SkeletonRows } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { dismissTopic, showToast } from '../../ui/toast.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { ConfirmPassword, needsPassword } from '../confirm-password.tsx'

const topic = 'ended sessions'

export function Sessions() {
  const { id, client } = useProject()
  const cache = useQueryClient()
  const query = useRead(`${identity}/sessions/list`)
  const refresh = () => cache.invalidateQueries({ queryKey: [id, `${identity}/sessions/list`] })
  const [isAsking, setAsking] = useState(false)
  /** What was refused until the password is confirmed. */
  const [refused, setRefused] = useState<() => void>()
  const ending = useMutation({
    mutationFn: (sessionId: number) => client.call(`${identity}/sessions/revoke`, { id: sessionId }),
    onSuccess() {
      dismissTopic(topic)
      showToast(t('Session ended'))
      return refresh()
    },
    onError(problem, sessionId) {
      if (needsPassword(problem)) setRefused(() => () => ending.mutate(sessionId))
      else showFailure(t('The session was not ended'), problem, topic)
    },
  })
  const endingOthers = useMutation({
    mutationFn: () => client.call(`${identity}/sessions/revoke-all`, { keep_current: true }),
    onSuccess({ revoked_count }) {
      dismissTopic(topic)
      showToast(counted(revoked_count, { one: '{count} session ended', other: '{count} sessions ended' }))
      return refresh()
    },
    onError(problem) {
      if (needsPassword(problem)) setRefused(() => () => endingOthers.mutate())
      else showFailure(t('The sessions were not ended'), problem, topic)
    },
  })
  return (
    <section className="account-section" aria-labelledby="account-sessions">
      <h2 id="account-sessions">{t("Where you're signed in")}</h2>
      <Reading
        query={query}
        failed={t('The sessions could not be loaded')}
        skeleton={<SkeletonRows rows={3} />}
      >
        {({ sessions }) => (
          <>
            <ul className="account-sessions">
              {sessions.map((session) => (
                <li key={session.id}>
                  <div>
                    <p>{programOf(session.user_agent)}</p>
                    <p>
                      {session.address} ·{' '}
                      {session.is_current
                        ? t('active now')
                        : rich('last used {ago}', { ago: <Ago at={session.last_used_at} /> })}
                      {session.carrier === 'bearer' && ` · ${t('API token')}`}
                    </p>
                  </div>
                  {session.is_current ? (
                    <Badge hue="green" icon={<CircleCheck />}>
                      {t('This session')}
                    </Badge>
                  ) : (
                    <Button onClick={() => ending.mutate(session.id)}>
                      {rich('End<hidden> the session of {program}</hidden>', {
                        hidden: (text) => <span className="visually-hidden">{text}</span>,
                        program: programOf(session.user_agent),
                      })}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {sessions.length > 1 && (
              <div className="account-buttons">
                <Button look="danger" isBusy={endingOthers.isPending} onClick={() => setAsking(true)}>
                  {t('End all other sessions')}
                </Button>
              </div>
            )}
          </>
        )}
      </Reading>
      {refused && <ConfirmPassword onClose={() => setRefused(undefined)} onConfirmed={refused} />}
      {isAsking && (
        <Confirm
          title={t('End all other sessions')}
          action={t('End sessions')}
          isDanger
          onClose={() => setAsking(false)}
          onConfirm={() => endingOthers.mutate()}
        >
          <p>
            {t(
              "You'll be signed out of every other browser and app, including API tokens. You stay signed in here.",
            )}
          </p>
        </Confirm>
      )}
    </section>
  )
}

/** A readable name for the browser and system of a user agent. */
function programOf(userAgent: string): string {
  const { browser, system } = programIn(userAgent)
  if (browser && system) return t('{browser} on {system}', { browser, system })
  return (browser ?? system ?? userAgent.slice(0, 60)) || t('Unknown app')
}
