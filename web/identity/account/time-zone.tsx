import { identity } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { FieldSelect } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

export function TimeZone() {
  const { me } = useProject()
  const offline = useLostConnection()
  const { mutate } = useWrite(`${identity}/users/update`, {
    failed: t('The time zone was not changed'),
    done: () => void showToast(t('Time zone changed')),
  })
  const current = me.user.time_zone ?? 'UTC'
  const zones = [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort()
  return (
    <section className="account-section" aria-labelledby="account-time-zone">
      <h2 id="account-time-zone">{t('Time zone')}</h2>
      <FieldSelect
        label={t('Your time zone')}
        hint={t('Used for reminders and due dates.')}
        value={current}
        disabled={offline !== undefined}
        onChange={({ target }) => mutate({ time_zone: target.value })}
      >
        {zones.map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </FieldSelect>
    </section>
  )
}
