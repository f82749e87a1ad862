import { Columns3, RectangleEllipsis, SquareKanban, Tag } from 'lucide-react'
import { area, type Output } from '../../data/client.ts'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { ViewOnlyMark } from '../../identity/view-only-mark.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { OptionalSign, Sign } from '../../ui/sign.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { hidden } from '../../words/hidden.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import { deleterName, parentsSentence, useWaysToRestore } from './restore.ts'
import './page.css'

type Thing = Output<`${typeof area}/trash/list`>['things'][number]

export default function TrashPage() {
  const query = usePages(`${area}/trash/list`, {})
  const things = query.data?.pages.flatMap((page) => page.things)
  return (
    <Page title={t('Trash')} actions={<ViewOnlyMark />}>
      <Reading query={{ ...query, data: things }} failed={t('The trash could not be loaded')}>
        {(deleted) =>
          deleted.length === 0 ? (
            <Empty title={t('The trash is empty')}>{t('Deleted items stay here for 30 days.')}</Empty>
          ) : (
            <>
              <p className="page-note">
                {t('Deleted items stay here for 30 days, then they are permanently deleted.')}
              </p>
              <ul className="trash" aria-label={t('Deleted')}>
                {deleted.map((thing) => (
                  <TrashRow key={thing.id} thing={thing} />
                ))}
              </ul>
            </>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </Page>
  )
}

const icons = { board: <SquareKanban />, group: <Columns3 />, card: <RectangleEllipsis />, tag: <Tag /> }

function TrashRow({ thing }: { thing: Thing }) {
  const ways = useWaysToRestore(thing)
  const parents = parentsSentence(thing)
  return (
    <li>
      <span className="trash-icon" aria-hidden="true">
        {thing.icon === null ? icons[thing.kind] : <Sign icon={thing.icon} color={thing.color} />}
      </span>
      <div className="trash-words">
        <p className="truncate" dir="auto">
          {thing.title}
        </p>
        <p className="trash-place truncate">
          <OptionalSign icon={thing.board_icon} color={thing.board_color} />{' '}
          {rich('{thing} · deleted by {name} {ago}', {
            thing: describe(thing),
            name: deleterName(thing),
            ago: <Ago at={thing.deleted_at} />,
          })}
        </p>
        {parents && <p className="trash-place trash-parents">{parents}</p>}
      </div>
      <div className="trash-ways">
        {ways.toReversed().map(({ label, isAlone, refusal, isBusy, restore }) => (
          <Button
            key={label}
            look={isAlone ? 'quiet' : 'secondary'}
            refusal={refusal}
            isBusy={isBusy}
            onClick={restore}
          >
            {parents ? (
              <>
                {label}
                {hidden(` (${thing.title})`)}
              </>
            ) : (
              rich('Restore<hidden> {title}</hidden>', { hidden, title: thing.title })
            )}
          </Button>
        ))}
      </div>
    </li>
  )
}

function describe({ kind, board_title, cards_count }: Thing): string {
  const board = board_title ?? ''
  if (kind === 'card') return t('Card of {board}', { board })
  if (kind === 'tag') return counted(cards_count, { one: 'Tag, {count} card', other: 'Tag, {count} cards' })
  return kind === 'group'
    ? counted(
        cards_count,
        { one: 'Group of {board}, {count} card', other: 'Group of {board}, {count} cards' },
        { board },
      )
    : counted(cards_count, { one: 'Board, {count} card', other: 'Board, {count} cards' })
}
