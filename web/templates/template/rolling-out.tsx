import { type ReactNode, useState } from 'react'
import type { Card } from '../../boards/types.ts'
import { admin } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { counted, t } from '../../words/words.ts'
import { useStartRollout } from '../rollouts/start-rollout.ts'
import type { MasterBoard } from '../types.ts'

/** Above this number of projects, a rollout asks for confirmation. */
const manyProjects = 10

type Wish = { kind: 'template' } | { kind: 'card'; card: Card }

export interface RollingOut {
  rollOutTemplate(): void
  rollOutCard(card: Card): void
  isRollingOut: boolean
  templateRefusal: string | undefined
  cardRefusal(card: Card): string | undefined
  /** The labels of the buttons. */
  label: string
  cardLabel: string
}

/** Rolls out a template or one of its cards; the caller renders `question`. */
export function useRollingOut(board: MasterBoard): { rollingOut: RollingOut; question: ReactNode } {
  const lost = useLostConnection()
  const [wish, setWish] = useState<Wish>()
  const rolling = useStartRollout(`${admin}/master-boards/sync`, t('The template was not rolled out'))
  const sending = useStartRollout(`${admin}/master-cards/push`, t('The card was not rolled out'))
  const count = reachOf(board)
  const templateRefusal =
    lost ??
    (board.is_active ? undefined : t('This template is inactive. Activate it in its settings first.')) ??
    (board.access_count === 0
      ? t('No project has the product {product}.', { product: board.tool_key ?? '' })
      : undefined) ??
    (count === 0 ? t('Every project has deleted its copy.') : undefined)

  const start = (started: Wish) => {
    if (started.kind === 'template') rolling.mutate({ board_id: board.id })
    else sending.mutate({ card_id: started.card.id })
  }
  const consider = (wanted: Wish) => (count > manyProjects ? setWish(wanted) : start(wanted))
  return {
    rollingOut: {
      rollOutTemplate: () => consider({ kind: 'template' }),
      rollOutCard: (card) => consider({ kind: 'card', card }),
      isRollingOut: rolling.isPending,
      templateRefusal,
      cardRefusal: (card) =>
        templateRefusal ?? (card.is_active ? undefined : t('This card is inactive. Activate it first.')),
      label: rollOutTo(count),
      cardLabel: counted(count, {
        one: 'Roll out card to {count} project',
        other: 'Roll out card to {count} projects',
      }),
    },
    question: wish && (
      <ConfirmRollout
        wish={wish}
        board={board}
        onClose={() => setWish(undefined)}
        onConfirm={() => start(wish)}
      />
    ),
  }
}

/** A project that deleted its copy receives nothing. */
const reachOf = ({ access_count, opted_out_count }: MasterBoard) => access_count - opted_out_count

const rollOutTo = (count: number): string =>
  counted(count, { one: 'Roll out to {count} project', other: 'Roll out to {count} projects' })

interface ConfirmProps {
  wish: Wish
  board: MasterBoard
  onClose(): void
  onConfirm(): void
}

function ConfirmRollout({ wish, board, onClose, onConfirm }: ConfirmProps) {
  const count = reachOf(board)
  return (
    <Confirm
      title={rollOutTo(count)}
      action={rollOutTo(count)}
      typed={count}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        {wish.kind === 'template'
          ? counted(
              count,
              {
                one: '“{title}”, version {version}, is rolled out to {count} project. Missing items are added; your changes are applied.',
                other:
                  '“{title}”, version {version}, is rolled out to {count} projects. Missing items are added; your changes are applied.',
              },
              // A draft is published first, and so is what never was.
              {
                title: board.title,
                version: String(board.version + (board.has_draft_changes || board.version === 0 ? 1 : 0)),
              },
            )
          : counted(
              count,
              {
                one: '“{title}” is rolled out to {count} project. Missing items are added; your changes are applied.',
                other:
                  '“{title}” is rolled out to {count} projects. Missing items are added; your changes are applied.',
              },
              { title: wish.card.title },
            )}
      </p>
      {wish.kind === 'template' && board.has_draft_changes && (
        <p>{t('Your draft changes are published with it.')}</p>
      )}
      <p>{t('Anything a project customized or deleted stays as it is.')}</p>
      {/* The rollout counts them too. */}
      {board.opted_out_count > 0 && (
        <p>
          {counted(board.opted_out_count, {
            one: '{count} more project deleted its copy of the template, and gets none.',
            other: '{count} more projects deleted their copies of the template, and get none.',
          })}
        </p>
      )}
    </Confirm>
  )
}
