import { identity, type Output } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { keyOf, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { t } from '../../words/words.ts'
import { useInstallation } from '../mail-way.ts'

const path = `${identity}/notifications/get` as const

type Settings = Output<typeof path>['settings']
type Reason = keyof Settings

const names: Record<Reason, string> = {
  assigned: t('Cards assigned to you'),
  mentioned: t('Mentions'),
  replied: t('Replies to your comments'),
  commented: t('Comments on cards you follow'),
  status_changed: t('Status of cards you follow'),
  due_soon: t('Cards due soon'),
  overdue: t('Overdue cards'),
  template_changed: t('Rollouts that change your cards'),
  invitation_accepted: t('Accepted invitations'),
  trial_ending: t('Trials that end'),
  theme_deadline: t('Deadlines of themes'),
  digest: t('Daily summary'),
}

const ways = { app: t('In the app'), mail: t('In the app and by email'), off: t('Off', { as: 'choice' }) }
const digestWays = { mail: t('By email at 8:00'), off: ways.off }

/** How the person is told, by reason. */
export function Notifications() {
  const query = useRead(path)
  const mail = useInstallation().data?.mail
  return (
    <section className="account-section" aria-labelledby="account-notifications">
      <h2 id="account-notifications">{t('Notify me about')}</h2>
      <p>
        {mail === 'none'
          ? t('This installation sends no email, so everything stays in the app.')
          : t('Emails are sent for what you have not read within 5 minutes.')}
      </p>
      <Reading query={query} failed={t('The notifications could not be loaded')}>
        {({ settings }) => (
          <ul className="account-notifications">
            {(Object.keys(names) as Reason[]).map((reason) => (
              <Choice key={reason} reason={reason} way={settings[reason]} />
            ))}
          </ul>
        )}
      </Reading>
    </section>
  )
}

function Choice({ reason, way }: { reason: Reason; way: string }) {
  const { id } = useProject()
  const offline = useLostConnection()
  const { mutate } = useWrite(`${identity}/notifications/update`, {
    failed: t('The notifications were not changed'),
    refreshes: [path],
    change: (cache, chosen) =>
      cache.setQueryData<{ settings: Settings }>(
        keyOf(id, path),
        (read) => read && { settings: { ...read.settings, ...(chosen as Partial<Settings>) } },
      ),
  })
  const choices = reason === 'digest' ? digestWays : ways
  return (
    <li>
      <label htmlFor={`notify-${reason}`}>{names[reason]}</label>
      <select
        id={`notify-${reason}`}
        className="input"
        value={way}
        disabled={offline !== undefined}
        onChange={({ target }) => mutate({ [reason]: target.value })}
      >
        {Object.entries(choices).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </li>
  )
}
