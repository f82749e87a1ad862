import type { KeyboardEvent } from 'react'
import { announce } from '../../ui/announcer.tsx'
import { t } from '../../words/words.ts'
import type { Stage } from './stage.ts'

const isPress = (key: string) => key === ' ' || key === 'Enter'

/** The keyboard shortcuts of a group's grip: lift, choose a position, drop. */
export function onGripKey(stage: Stage, event: KeyboardEvent<HTMLElement>, groupId: number) {
  const { moving, board, refusal } = stage.now()
  const place = board.groups.findIndex(({ id }) => id === groupId)
  if (moving?.kind === 'group' && moving.byKeyboard)
    return onLiftedKey(stage, event, groupId, moving.position ?? place + 1)
  if (!isPress(event.key)) return
  event.preventDefault()
  if (refusal !== undefined) return announce(refusal)
  stage.setMoving({ kind: 'group', groupId, position: place + 1, byKeyboard: true })
  announce(
    t(
      'Lifted the group {title}. Use the left and right arrow keys to choose a position, Space to drop, Escape to cancel.',
      { title: board.groups[place]?.title ?? '' },
    ),
  )
}

function onLiftedKey(
  { now, setMoving, groups }: Stage,
  event: KeyboardEvent<HTMLElement>,
  groupId: number,
  position: number,
) {
  event.preventDefault()
  const grip = event.currentTarget
  const { board } = now()
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (step !== undefined) {
    const next = Math.min(Math.max(position + step, 1), board.groups.length)
    setMoving({ kind: 'group', groupId, position: next, byKeyboard: true })
    announce(t('Position {position} of {count}.', { position: next, count: board.groups.length }))
  } else if (isPress(event.key)) {
    setMoving(undefined)
    groups.move(board, groupId, position)
    // A browser removes the focus from an element that is moved in the page.
    requestAnimationFrame(() => grip.focus())
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    setMoving(undefined)
    announce(t('The group is back where it was.'))
  }
}
