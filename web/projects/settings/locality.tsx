import { identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { FieldSelect } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { languageNames } from '../../words/choosing.ts'
import { t } from '../../words/words.ts'

/** The language and the time zone of the project. */
export function Locality() {
  const { id, me } = useProject()
  const refusal = useRefusal('manage')
  const { mutate } = useWrite(`${identity}/projects/update`, {
    failed: t('The project was not changed'),
    done: () => void showToast(t('Project changed')),
  })
  const { language = null, time_zone: timeZone = null } = me.current_project ?? {}
  const zones = [...new Set([...(timeZone ? [timeZone] : []), 'UTC', ...Intl.supportedValuesOf('timeZone')])]
  const shared = {
    disabled: refusal !== undefined,
    ...(refusal !== undefined && { 'aria-description': refusal, 'data-tip': refusal }),
  }
  return (
    <div className="project-settings-locality">
      <FieldSelect
        label={t('Language')}
        hint={t('For invitations, and for new members until they choose another.')}
        value={language ?? ''}
        onChange={({ target }) =>
          mutate({ id, language: (target.value || null) as keyof typeof languageNames | null })
        }
        {...shared}
      >
        <option value="">{t('Same as the person who invites')}</option>
        {Object.entries(languageNames).map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </FieldSelect>
      <FieldSelect
        label={t('Time zone')}
        hint={t('For new members. Used for due dates of people without a time zone.')}
        value={timeZone ?? ''}
        onChange={({ target }) => mutate({ id, time_zone: target.value || null })}
        {...shared}
      >
        <option value="">{t('None')}</option>
        {zones.sort().map((zone) => (
          <option key={zone} value={zone}>
            {zone.replaceAll('_', ' ')}
          </option>
        ))}
      </FieldSelect>
    </div>
  )
}
