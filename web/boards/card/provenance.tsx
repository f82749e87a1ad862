import { LayoutTemplate, Undo2 } from 'lucide-react'
import { Link } from 'wouter'
import { area, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { isSuperadminHere } from '../../identity/permissions.ts'
import { IconButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { Card } from '../types.ts'
import './provenance.css'

type Origin = NonNullable<Output<`${typeof area}/cards/get`>['provenance']>
type Field = Origin['changed_fields'][number]

const fieldNames: Record<Field, string> = {
  title: 'Title',
  description: 'Description',
  short_description: 'Short description',
  priority: 'Priority',
  evaluation_check: 'Check',
  needs_confirmation: 'Confirmation',
  tour_key: 'Tour key',
  unique_identifier: 'Identifier',
  place: 'Position',
  is_active: 'Hidden',
}

interface Props {
  card: Card
  origin: Origin
  refusal: string | undefined
}

/** The template of a card, and the fields that this project customized. */
export function Provenance({ card, origin, refusal }: Props) {
  const { base, me } = useProject()
  const reset = useReset(card)
  const { master_board_id, master_card_id, master_board_title, changed_fields, revision, newest_revision } =
    origin
  const title = <bdi>{master_board_title}</bdi>
  return (
    <section className="provenance" aria-label="Template">
      <p className="provenance-from">
        <LayoutTemplate aria-hidden="true" />
        <span>
          From the template{' '}
          {isSuperadminHere(me) ? (
            <Link href={`${base}/templates/${master_board_id}/cards/${master_card_id}`}>{title}</Link>
          ) : (
            title
          )}
          <span className="provenance-revision numbers">
            {revision === newest_revision
              ? ` · Up to date (version ${revision})`
              : ` · Version ${revision} of ${newest_revision}`}
          </span>
        </span>
      </p>
      {changed_fields.length > 0 && (
        <>
          <p className="provenance-note">Customized. Rollouts keep these fields:</p>
          <ul aria-label="Customized fields">
            {changed_fields.map((field) => (
              <li key={field}>
                {fieldNames[field]}
                <IconButton
                  label={`Reset ${fieldNames[field].toLowerCase()} to the template`}
                  icon={<Undo2 />}
                  refusal={refusal}
                  onClick={() => reset(field)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

/** Resets a field to the template's value; undo writes the card's value again. */
function useReset(card: Card) {
  const resetting = useWrite(`${area}/cards/reset`, { failed: 'The field was not reset' })
  const updating = useWrite(`${area}/cards/update`, { failed: 'The card was not changed back' })
  const moving = useWrite(`${area}/cards/move`, { failed: 'The card was not moved back' })
  return (field: Field) => {
    const { id, group_id, position } = card
    const takeBack = () =>
      field === 'place'
        ? moving.mutate({ id, group_id, position })
        : updating.mutate({ id, [field]: card[field] })
    resetting.mutate(
      { id, fields: [field] },
      { onSuccess: () => showToast(`${fieldNames[field]} reset to the template`, takeBack) },
    )
  }
}
