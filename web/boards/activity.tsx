import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { area } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import type { Member } from '../projects/types.ts'
import { Avatar } from '../ui/avatar.tsx'
import { personName } from '../ui/person-name.ts'
import { ShowMore } from '../ui/show-more.tsx'
import { Ago } from '../ui/time.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { type Details, sentenceFor } from './activity-words.ts'
import { cardOf } from './arrangement.ts'
import { RolloutChanges } from './rollout-changes.tsx'
import type { RolledOut } from './rollout-words.ts'
import type { Activity, Board } from './types.ts'
import './activity.css'

interface Props {
  board: Board
  members: readonly Member[]
  /** Shows the activity of this card only. */
  cardId?: number
}

/** Who did what, newest first. */
export function ActivityList({ board, members, cardId }: Props) {
  const input = { board_id: board.id, ...(cardId !== undefined && { card_id: cardId }) }
  const query = usePages(`${area}/activity/list`, input)
  const activity = query.data?.pages.flatMap((page) => page.activity)
  return (
    <>
      <Reading query={{ ...query, data: activity }} failed={t('The history could not be loaded')}>
        {(entries) =>
          entries.length === 0 ? (
            <p className="activity-empty">{t('No activity yet.')}</p>
          ) : (
            <ol className="activity">
              {entries.map((entry) => (
                <Entry
                  key={entry.id}
                  entry={entry}
                  card={cardId === undefined ? linkedCard(entry, board) : undefined}
                  words={sentenceFor(entry, { board, members, entries, cardId })}
                >
                  {cardId === undefined && <RolloutChanges event={entry.data as RolledOut} board={board} />}
                </Entry>
              ))}
            </ol>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}

function actorOf({ actor_name: name, kind, data }: Activity): string {
  if (kind === 'template.rolled_out' || (data as { rollout_id?: number }).rollout_id) return t('Template')
  return personName(name ?? 'Cardinal')
}

interface Linkable {
  id: number
  title: string
  boardId: number
}

function linkedCard({ card_id: id, data }: Activity, board: Board): Linkable | undefined {
  const { card_elsewhere: elsewhere } = data as Details
  const { title } = cardOf(board, id ?? 0) ?? elsewhere ?? {}
  return id === null || title === undefined
    ? undefined
    : { id, title, boardId: elsewhere?.board_id ?? board.id }
}

interface EntryProps {
  entry: Activity
  /** The card that it leads to. */
  card: Linkable | undefined
  words: string
  children: ReactNode
}

function Entry({ entry, card, words, children }: EntryProps) {
  const name = actorOf(entry)
  return (
    <li>
      <Avatar id={entry.actor_id ?? 0} name={name} />
      <div className="activity-words">
        <p>
          {rich('{name} {did} {ago}', {
            name: <strong dir="auto">{name}</strong>,
            did: card ? <Linked words={words} card={card} /> : words,
            ago: <Ago at={entry.created_at} />,
          })}
        </p>
        {children}
      </div>
    </li>
  )
}

/** The words with the title of the card as a link; all of them where they have another title. */
function Linked({ words, card }: { words: string; card: Linkable }) {
  const { base } = useProject()
  const href = `${base}/boards/${card.boardId}/cards/${card.id}`
  const titled = t('“{title}”', { title: card.title })
  const at = words.indexOf(titled)
  const toCard = (text: string) => (
    <Link href={href} state={{ isFromList: true }}>
      {text}
    </Link>
  )
  if (at === -1) return toCard(words)
  return (
    <>
      {words.slice(0, at)}
      {toCard(titled)}
      {words.slice(at + titled.length)}
    </>
  )
}
