import { Columns3, RectangleEllipsis, SquareKanban } from 'lucide-react'
import { area, type Output } from '../../data/client.ts'
import { useProject, useRefusal } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { counted } from '../../ui/counted.ts'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty, Reading } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
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
            <Empty title="The trash is empty">What is deleted can be restored here for 30 days.</Empty>
          ) : (
            <>
              <p className="page-note">
                What was deleted can be restored for 30 days; then its words are gone for good.
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
  const { me } = useProject()
  const work = useRefusal('work')
  const any = useRefusal('delete any card')
  const manage = useRefusal('manage')
  const done = () => showToast(`Restored ${thing.title}`)
  const writes = {
    card: useWrite(`${area}/cards/restore`, { failed: 'The card was not restored', done }),
    group: useWrite(`${area}/groups/restore`, { failed: 'The group was not restored', done }),
    board: useWrite(`${area}/boards/restore`, { failed: 'The board was not restored', done }),
  }
  const isOwnCard = thing.kind === 'card' && thing.created_by === me.user.id
  const refusal = thing.kind === 'card' ? (work ?? (isOwnCard ? undefined : any)) : manage
  const restoring = writes[thing.kind]
  const size = thing.kind === 'card' ? '' : `, ${counted(thing.cards_count, 'card')}`
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
      </div>
      <Button
        refusal={refusal}
        isBusy={restoring.isPending}
        onClick={() => restoring.mutate({ id: thing.thing_id })}
      >
        Restore<span className="visually-hidden"> {thing.title}</span>
      </Button>
    </li>
  )
}
