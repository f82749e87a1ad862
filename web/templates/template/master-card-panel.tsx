import { Columns3, Ellipsis, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { cardOf, groupOf } from '../../boards/arrangement.ts'
import { useCardActions } from '../../boards/card/card-actions.ts'
import { PriorityField, StatusField } from '../../boards/card/choices.tsx'
import { Description } from '../../boards/description.tsx'
import { GroupName } from '../../boards/signs.tsx'
import { counted, t } from '../../words/words.ts'
import '../../boards/card/history.css'
import { CardTitle } from '../../boards/card/title.tsx'
import type { Card } from '../../boards/types.ts'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { usePages, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { DraftScope } from '../../drafts/draft-scope.tsx'
import { FieldText } from '../../drafts/field-text.tsx'
import { LeftDrafts } from '../../drafts/left-drafts.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Choose } from '../../ui/choose.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Sign } from '../../ui/sign.tsx'
import { Empty, SkeletonRows } from '../../ui/states.tsx'
import { DeletedBy } from '../trash/deleted-things.tsx'
import type { MasterBoard } from '../types.ts'
import { ActiveField } from './active-field.tsx'
import { CheckFields } from './check-fields.tsx'
import './master-board.css'
import { Revisions } from './revisions.tsx'
import type { RollingOut } from './rolling-out.tsx'

interface Props {
  cardId: number
  board: MasterBoard
  rollingOut: RollingOut
  onClose(): void
}

export default function MasterCardPanel({ cardId, board, ...rest }: Props) {
  const card = cardOf(board, cardId)
  if (!card) return <MissingCard cardId={cardId} boardId={board.id} onClose={rest.onClose} />
  return (
    <DraftScope of={`template card ${cardId}`}>
      <OpenCard card={card} board={board} {...rest} />
    </DraftScope>
  )
}

function MissingCard({ cardId, boardId, onClose }: Pick<Props, 'cardId' | 'onClose'> & { boardId: number }) {
  const refusal = useLostConnection()
  const restoring = useWrite(`${admin}/master-cards/restore`, { failed: t('The card was not restored') })
  const { data } = useRead(
    `${admin}/trash/list`,
    { board_id: boardId, limit: 200 },
    { refetchOnMount: 'always' },
  )
  const deleted = data?.things.find(({ kind, thing_id }) => kind === 'card' && thing_id === cardId)
  return (
    <Panel label={t('Card')} heading={t('Card')} onClose={onClose}>
      <Empty
        title={t("This card isn't in the template")}
        action={
          <Button
            look="primary"
            refusal={refusal}
            isBusy={restoring.isPending}
            onClick={() => restoring.mutate({ id: cardId })}
          >
            {t('Restore')}
          </Button>
        }
      >
        {deleted && (
          <span className="deleted-line">
            <DeletedBy thing={deleted} />
          </span>
        )}
        {deleted === undefined
          ? t('It was deleted.')
          : deleted.removed_count > 0
            ? counted(deleted.removed_count, {
                one: 'It was deleted from this template and from {count} project. If you restore it, the next rollout brings it back with its comments.',
                other:
                  'It was deleted from this template and from {count} projects. If you restore it, the next rollout brings it back with its comments.',
              })
            : t(
                'It was deleted from this template. Projects keep their copies; if you restore it, they are linked to it again.',
              )}
      </Empty>
      <LeftDrafts of={`template card ${cardId}`} />
    </Panel>
  )
}

function OpenCard({ card, board, rollingOut, onClose }: Omit<Props, 'cardId'> & { card: Card }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const refusal = useLostConnection()
  const actions = useCardActions(board.id, 'master')
  return (
    <Panel
      label={t('Card: {title}', { title: card.title })}
      heading={<GroupName group={groupOf(board, card.id)} />}
      actions={
        <Menu
          label={t('Actions for this card')}
          entries={() => [
            {
              label: t('Delete from template only'),
              icon: <Trash2 />,
              isDanger: true,
              refusal,
              onSelect: () => {
                actions.remove(card)
                onClose()
              },
            },
            {
              label: t('Delete from all projects…'),
              icon: <Trash2 />,
              isDanger: true,
              refusal,
              onSelect: () => navigate(`${base}/templates/${board.id}/cards/${card.id}/delete`),
            },
          ]}
          trigger={(props) => (
            <IconButton {...props} label={t('Actions for this card')} icon={<Ellipsis />} />
          )}
        />
      }
      onClose={onClose}
    >
      <CardTitle
        card={card}
        place={`title of template card ${card.id}`}
        refusal={refusal}
        onSave={(title) => actions.save({ id: card.id, title })}
      />
      <div className="master-rollout">
        <Button
          icon={<Send />}
          refusal={rollingOut.cardRefusal(card)}
          onClick={() => rollingOut.rollOutCard(card)}
        >
          {rollingOut.cardLabel}
        </Button>
        <p>{t('Projects keep what they customized.')}</p>
      </div>
      <MasterFields card={card} board={board} refusal={refusal} />
      <Description
        place={`description of template card ${card.id}`}
        of={card}
        refusal={refusal}
        onSave={(description) => actions.save({ id: card.id, description })}
      />
      <History card={card} board={board} />
    </Panel>
  )
}

function MasterFields(props: { card: Card; board: MasterBoard; refusal: string | undefined }) {
  const { card, board, refusal } = props
  const actions = useCardActions(board.id, 'master')
  const set = (fields: Partial<Card>) => actions.update({ id: card.id, ...fields })
  const save = (fields: Partial<Card>) => actions.save({ id: card.id, ...fields })
  const placeOf = (field: string) => `${field} of template card ${card.id}`
  const group = groupOf(board, card.id)
  return (
    <dl className="fields">
      <ActiveField isActive={card.is_active} refusal={refusal} onChoose={(is_active) => set({ is_active })} />
      <StatusField status={card.status} refusal={refusal} onChoose={(status) => set({ status })} />
      <PriorityField priority={card.priority} refusal={refusal} onChoose={(priority) => set({ priority })} />
      <Choose
        name={t('Group')}
        refusal={refusal}
        shown={
          <>
            {group ? <Sign icon={group.icon} color={group.color} /> : <Columns3 aria-hidden="true" />}{' '}
            <span dir="auto">{group?.title}</span>
          </>
        }
        chosen={card.group_id as number}
        choices={board.groups.map(({ id, title, icon, color }) => ({
          id,
          label: title,
          icon: <Sign icon={icon} color={color} />,
        }))}
        onChoose={(groupId) => actions.move(board, card.id, { groupId, before: null })}
      />
      <FieldText
        name={t('Short description')}
        value={card.short_description}
        isLong
        place={placeOf('short_description')}
        refusal={refusal}
        onSave={(short_description) => save({ short_description })}
      />
      <FieldText
        name={t('Identifier')}
        value={card.unique_identifier}
        place={placeOf('unique_identifier')}
        refusal={refusal}
        onSave={(unique_identifier) => save({ unique_identifier })}
      />
      <FieldText
        name={t('Check')}
        value={card.evaluation_check}
        place={placeOf('evaluation_check')}
        refusal={refusal}
        onSave={(evaluation_check) => save({ evaluation_check })}
      />
      <CheckFields
        card={card}
        refusal={refusal}
        onChoose={(needs_confirmation) => set({ needs_confirmation })}
      />
      <FieldText
        name={t('Tour key')}
        value={card.tour_key}
        place={placeOf('tour_key')}
        refusal={refusal}
        onSave={(tour_key) => save({ tour_key })}
      />
    </dl>
  )
}

function History({ card, board }: { card: Card; board: MasterBoard }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="card-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('History')}</summary>
      {isOpen && <ReadRevisions card={card} board={board} />}
    </details>
  )
}

function ReadRevisions({ card, board }: { card: Card; board: MasterBoard }) {
  const query = usePages(`${admin}/master-cards/get`, { id: card.id })
  useAskAgain(`${admin}/master-cards/get`, 1000)
  const revisions = query.data?.pages.flatMap((page) => page.revisions)
  return (
    <>
      <Reading
        query={{ ...query, data: revisions }}
        failed={t('The history could not be loaded')}
        skeleton={<SkeletonRows rows={3} />}
      >
        {(read) => <Revisions revisions={read} hasOlder={query.hasNextPage} board={board} />}
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}
