import { CircleCheck, CircleDot, CirclePause, CircleX, Send } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { Board } from '../../boards/board/board.tsx'
import { useCardActions } from '../../boards/card/card-actions.ts'
import { loadable } from '../../ui/loadable.tsx'
import '../../boards/card/card-face.css'
import { useArranging, useGroupDeletion } from '../../boards/group/group-actions.ts'
import { PrioritySign, StatusSign, statusName } from '../../boards/signs.tsx'
import type { Card, Group } from '../../boards/types.ts'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { Confirm } from '../../ui/confirm.tsx'
import type { MenuEntry } from '../../ui/menu.tsx'
import { counted, t } from '../../words/words.ts'
import type { MasterBoard as MasterBoardData } from '../types.ts'
import './master-board.css'
import { CardProgress, type Counts } from './card-progress.tsx'
import { resultsOf } from './check-fields.tsx'
import type { RollingOut } from './rolling-out.tsx'

const GroupSettings = loadable(() => import('../../boards/group/group-settings.tsx'))

interface Props {
  board: MasterBoardData
  rollingOut: RollingOut
  openCardId: number | undefined
  returnTo: number | undefined
  /** The address of the board. */
  path: string
}

/** A master board, edited like any board. */
export function MasterBoard({ board, rollingOut, path, ...rest }: Props) {
  const refusal = useLostConnection()
  const cards = useCardActions(board.id, 'master')
  const arranging = useArranging(board.id, 'master')
  const deleteGroup = useGroupDeletion(board.id, 'master')
  const [toDelete, setToDelete] = useState<Group>()
  const [settingsOf, setSettingsOf] = useState<number>()
  const group = board.groups.find(({ id }) => id === settingsOf)
  const groups = useMemo(
    () => ({ ...arranging, remove: setToDelete, openSettings: setSettingsOf }),
    [arranging],
  )
  const visible = useMemo(() => new Map(board.groups.map((group) => [group.id, group.cards])), [board])
  const hrefOf = useCallback((cardId: number) => `${path}/cards/${cardId}`, [path])
  const { data } = useRead(`${admin}/roll-ups/get`, { board_id: board.id })
  useAskAgain(`${admin}/roll-ups/get`, 30_000, { board_id: board.id })
  const face = useMemo(() => {
    const counts = new Map(data?.roll_up.cards.map((card) => [card.id, card.counts]))
    return (card: Card) => <MasterMeta card={card} counts={counts.get(card.id)} />
  }, [data])
  const ownEntries = (card: Card): MenuEntry[] => [
    {
      label: rollingOut.cardLabel,
      icon: <Send />,
      refusal: rollingOut.cardRefusal(card),
      onSelect: () => rollingOut.rollOutCard(card),
    },
    {
      label: card.is_active ? t('Deactivate') : t('Activate'),
      icon: card.is_active ? <CirclePause /> : <CircleDot />,
      refusal,
      onSelect: () => cards.update({ id: card.id, is_active: !card.is_active }),
    },
  ]
  return (
    <>
      <Board
        {...rest}
        content={{
          board,
          noun: 'template',
          visible,
          refusal,
          manageRefusal: refusal,
          collapseRefusal: refusal,
          deleteRefusal: () => refusal,
          ownEntries,
        }}
        actions={{ cards, groups }}
        face={face}
        hrefOf={hrefOf}
      />
      {group && (
        <GroupSettings
          group={group}
          doneClosesCards
          refusal={refusal}
          onChange={(fields) => arranging.update({ id: group.id, ...fields })}
          onDescription={(description) => arranging.save({ id: group.id, description })}
          onClose={() => setSettingsOf(undefined)}
        />
      )}
      {toDelete && (
        <Confirm
          title={t('Delete the group “{title}”', { title: toDelete.title })}
          action={t('Delete group')}
          isDanger
          onClose={() => setToDelete(undefined)}
          onConfirm={() => deleteGroup({ id: toDelete.id })}
        >
          <p>
            {counted(toDelete.cards.length, {
              one: 'The group is deleted from this template with its {count} card. You can restore it for 30 days. Copies stay in the projects as ordinary groups and cards.',
              other:
                'The group is deleted from this template with its {count} cards. You can restore it for 30 days. Copies stay in the projects as ordinary groups and cards.',
            })}
          </p>
        </Confirm>
      )}
    </>
  )
}

function MasterMeta({ card, counts }: { card: Card; counts: Counts | undefined }) {
  const results = resultsOf(card)
  return (
    <>
      <div className="card-meta">
        <PrioritySign priority={card.priority} />
        {card.status !== 'open' && (
          <span className="card-note">
            <StatusSign status={card.status} /> {statusName(card.status)}
          </span>
        )}
        {!card.is_active && (
          <span className="card-note">
            <CirclePause aria-hidden="true" /> {t('Inactive')}
          </span>
        )}
        {results.isReported && (
          <span className="card-note numbers" data-tip={results.words}>
            <CircleCheck aria-hidden="true" />
            <span aria-hidden="true">{results.passed}</span>
            <CircleX aria-hidden="true" />
            <span aria-hidden="true">{results.failed}</span>
            <span className="visually-hidden">{results.words}</span>
          </span>
        )}
        <span className="card-space" />
        {card.unique_identifier !== null && (
          <span className="master-identifier truncate">{card.unique_identifier}</span>
        )}
      </div>
      {counts && <CardProgress counts={counts} />}
    </>
  )
}
