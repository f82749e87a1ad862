import { Columns3, RectangleEllipsis, SquareKanban } from 'lucide-react'
import { area, type Output } from '../../data/client.ts'
import { useProject, useRefusal } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading, SkeletonRows } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import './page.css'

type Thing = Output<`${typeof area}/trash/list`>['things'][number]

export default function TrashPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(
    `${area}/trash/list`,
    {},
  )
  const things = data?.pages.flatMap((page) => page.things)
  return (
    <Page title="Trash">
      {error && !data && (
        <Failed what="The trash could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Loading>
          <SkeletonRows />
        </Loading>
      )}
      {things?.length === 0 && (
        <Empty title="The trash is empty">What is deleted can be restored here for 30 days.</Empty>
      )}
      {things && things.length > 0 && (
        <>
          <p className="trash-note">
            What was deleted can be restored for 30 days; then its words are gone for good.
          </p>
          <ul className="trash" aria-label="Deleted">
            {things.map((thing) => (
              <TrashRow key={thing.id} thing={thing} />
            ))}
          </ul>
        </>
      )}
      {hasNextPage && (
        <Button look="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older
        </Button>
      )}
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
  const restoringCard = useWrite(`${area}/cards/restore`, { failed: 'The card was not restored' })
  const restoringGroup = useWrite(`${area}/groups/restore`, { failed: 'The group was not restored' })
  const restoringBoard = useWrite(`${area}/boards/restore`, { failed: 'The board was not restored' })
  const isOwnCard = thing.kind === 'card' && thing.created_by === me.user.id
  const refusal = thing.kind === 'card' ? (work ?? (isOwnCard ? undefined : any)) : manage
  const writes = { card: restoringCard, group: restoringGroup, board: restoringBoard }
  const restore = () =>
    writes[thing.kind].mutate(
      { id: thing.thing_id },
      { onSuccess: () => showToast(`Restored ${thing.title}`) },
    )
  const size =
    thing.kind === 'card' ? '' : `, ${thing.cards_count} ${thing.cards_count === 1 ? 'card' : 'cards'}`
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
      <Button refusal={refusal} isBusy={writes[thing.kind].isPending} onClick={restore}>
        Restore<span className="visually-hidden"> {thing.title}</span>
      </Button>
    </li>
  )
}
