import { Calendar, CalendarPlus, CircleUser, Columns3, MoonStar, Tag as TagIcon } from 'lucide-react'
import { useState } from 'react'
import { area } from '../../data/client.ts'
import { useWrite } from '../../data/write.ts'
import type { Member } from '../../projects/types.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Absent, Choose } from '../../ui/choose.tsx'
import { hues } from '../../ui/hues.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Sign } from '../../ui/sign.tsx'
import { t } from '../../words/words.ts'
import { useUndoableChange } from '../changing.ts'
import type { Board, Card } from '../types.ts'
import type { CardActions } from './card-actions.ts'
import { Overdue } from './card-face.tsx'
import { PriorityField, StatusField } from './choices.tsx'
import { due, Moment, snooze } from './moment.tsx'

const ManageTags = loadable(() => import('../tag/manage-tags.tsx'))

interface Props {
  card: Card
  board: Board
  members: readonly Member[]
  actions: CardActions
  refusal: string | undefined
}

const nothing = 0

/** The editable fields of a card. */
export function CardFields(props: Props) {
  const { card, board, members, actions, refusal } = props
  const tagging = useTagging(card, actions)
  const [isManaging, setManaging] = useState(false)
  const owner = members.find(({ user_id }) => user_id === card.owner_id)
  const tag = board.tags.find(({ id }) => id === card.tag_id)
  const group = board.groups.find(({ id }) => id === card.group_id)
  const change = useUndoableChange(actions.save)
  const set = (fields: Partial<Card>, said?: string) => change(card, fields, said)
  return (
    <>
      <dl className="fields">
        <StatusField status={card.status} refusal={refusal} onChoose={(status) => set({ status })} />
        <PriorityField
          priority={card.priority}
          refusal={refusal}
          onChoose={(priority) => set({ priority })}
        />
        <Choose
          name={t('Assignee')}
          refusal={refusal}
          shown={
            card.owner_id === null ? (
              <Absent icon={<CircleUser />}>{t('Unassigned')}</Absent>
            ) : owner ? (
              <>
                <Avatar id={owner.user_id} name={owner.name} /> <span dir="auto">{owner.name}</span>
              </>
            ) : (
              '…'
            )
          }
          chosen={card.owner_id ?? nothing}
          choices={[
            { id: nothing, label: t('Unassigned') },
            ...members.map(({ user_id, name }) => ({
              id: user_id,
              label: name,
              icon: <Avatar id={user_id} name={name} />,
            })),
          ]}
          onChoose={(id) => set({ owner_id: id === nothing ? null : id })}
        />
        <Choose
          name={t('Tag')}
          refusal={refusal}
          shown={
            tag ? (
              <>
                <Sign icon={tag.icon} color={tag.color} /> <span dir="auto">{tag.name}</span>
              </>
            ) : (
              <Absent icon={<TagIcon />}>{t('No tag')}</Absent>
            )
          }
          chosen={card.tag_id ?? nothing}
          choices={[
            { id: nothing, label: t('No tag') },
            ...board.tags
              .filter(({ id, is_active }) => is_active || id === card.tag_id)
              .map(({ id, name, color, icon }) => ({
                id,
                label: name,
                icon: <Sign icon={icon} color={color} />,
              })),
          ]}
          onCreate={tagging}
          manage={{ label: t('Manage tags'), onSelect: () => setManaging(true) }}
          onChoose={(id) => set({ tag_id: id === nothing ? null : id })}
        />
        <Choose
          name={t('Group')}
          refusal={refusal}
          shown={
            <>
              {group ? <Sign icon={group.icon} color={group.color} /> : <Columns3 />}{' '}
              <span dir="auto">{group?.title}</span>
            </>
          }
          chosen={card.group_id ?? nothing}
          choices={board.groups.map(({ id, title, icon, color }) => ({
            id,
            label: title,
            icon: <Sign icon={icon} color={color} />,
          }))}
          onChoose={(groupId) => actions.move(board, card.id, { groupId, before: null })}
        />
        <Moment
          of={due}
          card={card}
          icon={card.due_date === null ? <CalendarPlus /> : <Calendar />}
          refusal={refusal}
          note={<Overdue card={card} />}
          onChange={set}
        />
        <Moment of={snooze} card={card} icon={<MoonStar />} refusal={refusal} onChange={set} />
      </dl>
      {isManaging && <ManageTags board={board} onClose={() => setManaging(false)} />}
    </>
  )
}

/** Creates a tag and sets it on the card. */
function useTagging(card: Card, actions: CardActions) {
  const creating = useWrite(`${area}/tags/create`, { failed: t('The tag was not created') })
  return (name: string) => {
    const color =
      hues[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues.length] ?? null
    creating.mutate(
      { name, color },
      { onSuccess: ({ tag }) => actions.update({ id: card.id, tag_id: tag.id }) },
    )
  }
}
