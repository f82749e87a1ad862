import { Columns3, RectangleEllipsis, SquareKanban } from 'lucide-react'
import { area, type Output } from '../../data/client.ts'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { counted } from '../../words/words.ts'
import { parentsSentence, useWaysToRestore } from './restore.ts'
import './page.css'

type Thing = Output<`${typeof area}/trash/list`>['things'][number]

export default function TrashPage() {
  const query = usePages(`${area}/trash/list`, {})
  const things = query.data?.pages.flatMap((page) => page.things)
  return (
    <Page title="Trash">
      <Reading query={{ ...query, data: things }} failed="The trash could not be loaded">
        {(deleted) =>
          deleted.length === 0 ? (
            <Empty title="The trash is empty">Deleted items stay here for 30 days.</Empty>
          ) : (
            <>
              <p className="page-note">
                Deleted items stay here for 30 days, then they are permanently deleted.
              </p>
              <ul className="trash" aria-label="Deleted">
                {deleted.map((thing) => (
                  <TrashRow key={thing.id} thing={thing} />
                ))}
              </ul>
            </>
          )
        }
      </Reading>
      <ShowMore query={query} label="Show older" />
    </Page>
  )
}

const icons = { board: <SquareKanban />, group: <Columns3 />, card: <RectangleEllipsis /> }
const nouns = { board: 'Board', group: 'Group', card: 'Card' }

function TrashRow({ thing }: { thing: Thing }) {
  const ways = useWaysToRestore(thing)
  const parents = parentsSentence(thing)
  const size =
    thing.kind === 'card'
      ? ''
      : `, ${counted(thing.cards_count, { one: '{count} card', other: '{count} cards' })}`
  return (
    <li>
      <span className="trash-icon" aria-hidden="true">
        {icons[thing.kind]}
      </span>
      <div className="trash-words">
        <p className="truncate" dir="auto">
          {thing.title}
        </p>
        <p className="trash-place truncate">
          {nouns[thing.kind]}
          {thing.board_title !== null && ` of ${thing.board_title}`}
          {size} · deleted by {thing.deleted_by_name ?? 'Cardinal'} <Ago at={thing.deleted_at} />
        </p>
        {parents && <p className="trash-place trash-parents">{parents}</p>}
      </div>
      <div className="trash-ways">
        {ways.toReversed().map(({ label, refusal, isBusy, restore }) => (
          <Button
            key={label}
            look={label === 'Restore alone' ? 'quiet' : 'secondary'}
            refusal={refusal}
            isBusy={isBusy}
            onClick={restore}
          >
            {label}
            <span className="visually-hidden"> {label === 'Restore' ? thing.title : `(${thing.title})`}</span>
          </Button>
        ))}
      </div>
    </li>
  )
}
