import { CircleDashed } from 'lucide-react'
import { groupTypes } from '#boards/group/group-types.ts'
import { Button } from '../../ui/button.tsx'
import { Absent, Choose } from '../../ui/choose.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { IconField } from '../../ui/icon-field.tsx'
import { t } from '../../words/words.ts'
import { Description } from '../description.tsx'
import { StatusSign } from '../signs.tsx'
import type { Group } from '../types.ts'

interface Props {
  group: Group
  /** Whether cards that are moved into a group of type done are closed. */
  doneClosesCards: boolean
  refusal: string | undefined
  onChange(fields: Partial<Pick<Group, 'type' | 'icon' | 'color'>>): void
  onDescription(description: string | null): Promise<unknown>
  onClose(): void
}

/** The type, icon, color and description of a group. */
export default function GroupSettings({
  group,
  doneClosesCards,
  refusal,
  onChange,
  onDescription,
  onClose,
}: Props) {
  const { type, icon, color } = group
  return (
    <Dialog title={t('Group settings')} onClose={onClose}>
      <dl className="fields">
        <TypeField type={type} refusal={refusal} onChoose={(chosen) => onChange({ type: chosen })} />
        <IconField
          icon={icon}
          color={color}
          refusal={refusal}
          onChoose={(chosen) => onChange({ icon: chosen })}
        />
        <ColorField color={color} refusal={refusal} onChoose={(chosen) => onChange({ color: chosen })} />
      </dl>
      {type === 'done' && (
        <p className="page-note">
          {doneClosesCards
            ? t('Cards moved here are marked Done. Moved out, they get their previous status back.')
            : t('Cards moved here keep their status. You can change this in the board settings.')}
        </p>
      )}
      <Description
        place={`description of group ${group.id}`}
        of={group}
        refusal={refusal}
        onSave={onDescription}
      />
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}

const noType = ''

const types: Record<(typeof groupTypes)[number], { name: string; status: string }> = {
  todo: { name: t('To do'), status: 'open' },
  active: { name: t('Active'), status: 'in_progress' },
  waiting: { name: t('Waiting'), status: 'blocked' },
  done: { name: t('Done'), status: 'closed' },
}

const isKnown = (type: string): type is keyof typeof types => Object.hasOwn(types, type)

const typeName = (type: string) => (isKnown(type) ? types[type].name : type)

const TypeSign = ({ type }: { type: string }) =>
  isKnown(type) ? <StatusSign status={types[type].status} /> : <CircleDashed aria-hidden="true" />

interface TypeProps {
  type: string | null
  refusal: string | undefined
  onChoose(type: string | null): void
}

/** One of four types, or any other word. */
const TypeField = ({ type, refusal, onChoose }: TypeProps) => (
  <Choose
    name={t('Type')}
    refusal={refusal}
    shown={
      type === null ? (
        <Absent icon={<CircleDashed />}>{t('None', { as: 'type' })}</Absent>
      ) : (
        <>
          <TypeSign type={type} /> {typeName(type)}
        </>
      )
    }
    chosen={type ?? noType}
    choices={[
      { id: noType, label: t('None', { as: 'type' }) },
      ...[...new Set(type === null ? groupTypes : [...groupTypes, type])].map((one) => ({
        id: one,
        label: typeName(one),
        icon: <TypeSign type={one} />,
      })),
    ]}
    onCreate={onChoose}
    onChoose={(chosen) => onChoose(chosen === noType ? null : chosen)}
  />
)
