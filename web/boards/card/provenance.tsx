import { LayoutTemplate, Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import { area } from '../../data/client.ts'
import { operatorBase, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { isSuperadminHere } from '../../identity/permissions.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { type CustomizedField, fieldNames, type Origin } from '../field-names.ts'
import { FieldValue } from '../field-value.tsx'
import type { Card } from '../types.ts'
import './provenance.css'

interface Props {
  card: Card
  origin: Origin
  refusal: string | undefined
}

/** The template of a card, and the fields that this project customized. */
export function Provenance({ card, origin, refusal }: Props) {
  const { me } = useProject()
  const reset = useReset(card)
  const { master_board_id, master_card_id, master_board_title, changed_fields, version, newest_version } =
    origin
  const { template_values: values, takes_updates: takesUpdates } = origin
  const updates = useUpdates(card.id, takesUpdates)
  const title = <bdi>{master_board_title}</bdi>
  const template = isSuperadminHere(me) ? (
    <Link href={`${operatorBase}/templates/${master_board_id}/cards/${master_card_id}`}>{title}</Link>
  ) : (
    title
  )
  return (
    <section className="provenance" aria-label={t('Template')}>
      <p className="provenance-from">
        <LayoutTemplate aria-hidden="true" />
        <span>
          {rich('From the template {template}', { template })}
          {version !== null && newest_version !== null && (
            <span className="provenance-revision numbers">
              {' · '}
              {version === newest_version
                ? t('Up to date (version {version})', { version })
                : t('Version {version} of {newest}', { version, newest: newest_version })}
            </span>
          )}
        </span>
      </p>
      <p className="provenance-note">
        {!takesUpdates && t('Template updates are stopped. Rollouts leave this card as it is.')}
        <Button look="quiet" refusal={refusal} isBusy={updates.isPending} onClick={updates.toggle}>
          {takesUpdates ? t('Stop template updates') : t('Resume template updates')}
        </Button>
      </p>
      {changed_fields.length > 0 && (
        <>
          <p className="provenance-note">{t('Customized. Rollouts keep these fields:')}</p>
          <ul aria-label={t('Customized fields')}>
            {changed_fields.map((field) => (
              <li key={field}>
                {fieldNames[field][0]}
                <IconButton
                  label={t('Reset {field} to the template', { field: fieldNames[field][1] })}
                  icon={<Undo2 />}
                  refusal={refusal}
                  onClick={() => reset(field)}
                />
              </li>
            ))}
          </ul>
          {values.length > 0 && (
            <details className="provenance-values">
              <summary>{t('Show the template’s values')}</summary>
              <dl>
                {values.map(({ field, value }) => (
                  <div key={field}>
                    <dt>{fieldNames[field][0]}</dt>
                    <dd>
                      <FieldValue field={field} value={value} />
                    </dd>
                  </div>
                ))}
              </dl>
            </details>
          )}
        </>
      )}
    </section>
  )
}

/** Stops updates of the template, or takes them again. */
function useUpdates(id: number, takesUpdates: boolean) {
  const stopping = useWrite(`${area}/cards/stop-updates`, { failed: t('Template updates were not stopped') })
  const taking = useWrite(`${area}/cards/take-updates`, { failed: t('Template updates are still stopped') })
  const stop = () =>
    stopping.mutate(
      { id },
      { onSuccess: () => showToast(t('Template updates stopped'), () => taking.mutate({ id })) },
    )
  const take = () =>
    taking.mutate(
      { id },
      { onSuccess: () => showToast(t('The next rollout updates this card'), () => stopping.mutate({ id })) },
    )
  return { isPending: stopping.isPending || taking.isPending, toggle: takesUpdates ? stop : take }
}

/** Resets a field to the template's value; undo writes the card's value again. */
function useReset(card: Card) {
  const resetting = useWrite(`${area}/cards/reset`, { failed: t('The field was not reset') })
  const updating = useWrite(`${area}/cards/update`, { failed: t('The card was not changed back') })
  const moving = useWrite(`${area}/cards/move`, { failed: t('The card was not moved back') })
  return (field: CustomizedField) => {
    const { id, group_id, position } = card
    const takeBack = () =>
      field === 'place'
        ? moving.mutate({ id, group_id, position })
        : updating.mutate({ id, [field]: card[field] })
    resetting.mutate(
      { id, fields: [field] },
      {
        onSuccess: () =>
          showToast(t('{field} reset to the template', { field: fieldNames[field][0] }), takeBack),
      },
    )
  }
}
