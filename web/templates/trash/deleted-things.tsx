import { Columns3, LayoutTemplate, RectangleEllipsis } from 'lucide-react'
import { admin, type Output } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { hidden } from '../../words/hidden.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import './deleted-things.css'

export type Thing = Output<`${typeof admin}/trash/list`>['things'][number]

const icons = { template: <LayoutTemplate />, group: <Columns3 />, card: <RectangleEllipsis /> }

/** What was deleted from a template, or from all of them, with a button that restores it. */
export function DeletedThings({ boardId }: { boardId?: number }) {
  const query = usePages(`${admin}/trash/list`, boardId === undefined ? {} : { board_id: boardId }, {
    refetchOnMount: 'always',
  })
  const things = query.data?.pages.flatMap((page) => page.things)
  return (
    <>
      <Reading query={{ ...query, data: things }} failed={t('The trash could not be loaded')}>
        {(deleted) =>
          deleted.length === 0 ? (
            <Empty title={t('The trash is empty')}>{t('Deleted items stay here for 30 days.')}</Empty>
          ) : (
            <ul className="deleted-things" aria-label={t('Deleted')}>
              {deleted.map((thing) => (
                <DeletedThing key={`${thing.kind} ${thing.thing_id}`} thing={thing} />
              ))}
            </ul>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}

function DeletedThing({ thing }: { thing: Thing }) {
  const refusal = useLostConnection()
  const { restore, isBusy } = useRestore(thing)
  return (
    <li>
      <span className="deleted-icon" aria-hidden="true">
        {icons[thing.kind]}
      </span>
      <div className="deleted-words">
        <p className="truncate" dir="auto">
          {thing.title}
        </p>
        <p className="deleted-place">
          {rich('{thing} · deleted by {name} {ago}', {
            thing: describe(thing),
            name: thing.deleted_by_name ?? t('Someone'),
            ago: <Ago at={thing.deleted_at} />,
          })}
        </p>
      </div>
      <Button refusal={refusal} isBusy={isBusy} onClick={restore}>
        {rich('Restore<hidden> {title}</hidden>', { hidden, title: thing.title })}
      </Button>
    </li>
  )
}

export function DeletedBy({ thing }: { thing: Thing }) {
  return rich('Deleted by {name} · {ago}', {
    name: <span dir="auto">{thing.deleted_by_name ?? t('Someone')}</span>,
    ago: <Ago at={thing.deleted_at} />,
  })
}

export function useRestore({ kind, thing_id: id, title }: Thing) {
  const done = () => showToast(t('Restored “{title}”', { title }))
  const template = useWrite(`${admin}/master-boards/restore`, {
    failed: t('The template was not restored'),
    done,
  })
  const group = useWrite(`${admin}/master-groups/restore`, { failed: t('The group was not restored'), done })
  const card = useWrite(`${admin}/master-cards/restore`, { failed: t('The card was not restored'), done })
  const writes = { template, group, card }
  return { restore: () => writes[kind].mutate({ id }), isBusy: writes[kind].isPending }
}

function describe({ kind, board_title: template, group_title: group, cards_count: count, ...thing }: Thing) {
  if (kind === 'template')
    return counted(count, { one: 'Template, {count} card', other: 'Template, {count} cards' })
  if (kind === 'group')
    return counted(
      count,
      { one: 'Group of {template}, {count} card', other: 'Group of {template}, {count} cards' },
      { template },
    )
  return thing.removed_count > 0
    ? counted(
        thing.removed_count,
        {
          one: 'Card of {template}, deleted from {count} project',
          other: 'Card of {template}, deleted from {count} projects',
        },
        { template },
      )
    : t('Card of {template}, {group}', { template, group: group ?? '' })
}
