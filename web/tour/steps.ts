// The steps that the tour knows, by tour_key. A card with another key opens as a card, and people mark it done themselves.

import type { Permission } from '#identity/roles.ts'
import { area, type Path, themes } from '../data/client.ts'
import { t } from '../words/words.ts'
import type { TourCard } from './types.ts'

export interface Step {
  /** Where it is done, relative to the project. */
  path(card: TourCard): string
  /** The name of the element to point at (ui/spots.ts). */
  spot: string
  /** What to do there. */
  hint: string
  /** It is done once this write succeeds. */
  write: Path
  /** People who may not do it are told so instead of the hint. */
  needs: Permission
}

const itsBoard = (card: TourCard) => `/boards/${card.board_id}`
export const itsCard = (card: TourCard) => `${itsBoard(card)}/cards/${card.id}`

export const steps: Readonly<Record<string, Step>> = {
  'board.create': {
    path: () => '/boards',
    spot: 'new board',
    hint: t('Create a board for a line of work.'),
    write: `${area}/boards/create`,
    needs: 'manage',
  },
  'card.create': {
    path: itsBoard,
    spot: 'new card',
    hint: t('Add a card for something you want to get done.'),
    write: `${area}/cards/create`,
    needs: 'work',
  },
  'card.move': {
    path: itsBoard,
    spot: 'card',
    hint: t('Drag this card to another group, or press M to choose one.'),
    write: `${area}/cards/move`,
    needs: 'work',
  },
  'comment.create': {
    path: itsCard,
    spot: 'comment',
    hint: t('Write a comment. Everyone in the project can read it.'),
    write: `${area}/comments/create`,
    needs: 'work',
  },
  'website.theme': {
    path: () => '/themes',
    spot: 'theme',
    hint: t('Choose the look of your website.'),
    write: `${themes}/versions/choose`,
    needs: 'manage themes',
  },
}

export const stepOf = ({ tour_key: key }: TourCard): Step | undefined =>
  Object.hasOwn(steps, key) ? steps[key] : undefined
