import { area } from '../data/client.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import type { Member } from '../projects/types.ts'
import { Avatar } from '../ui/avatar.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Ago } from '../ui/time.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { sentenceFor } from './activity-words.ts'
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
                  words={sentenceFor(entry, { board, members, entries, isOfCard: cardId !== undefined })}
                />
              ))}
            </ol>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}

const Entry = ({ entry, words }: { entry: Activity; words: string }) => (
  <li>
    <Avatar id={entry.actor_id ?? 0} name={entry.actor_name ?? 'Cardinal'} />
    <p>
      {rich('{name} {did} {ago}', {
        name: <strong dir="auto">{entry.actor_name ?? 'Cardinal'}</strong>,
        did: words,
        ago: <Ago at={entry.created_at} />,
      })}
    </p>
  </li>
)
