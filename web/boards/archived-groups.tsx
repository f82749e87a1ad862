import { area } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Sign } from '../ui/sign.tsx'
import { Empty } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { rich } from '../words/rich.tsx'
import { counted, t } from '../words/words.ts'
import './archived-groups.css'
import { hidden } from '../words/hidden.tsx'

interface Props {
  boardId: number
  refusal: string | undefined
  onClose(): void
}

/** The archived groups of a board, each with a way back. */
export default function ArchivedGroups({ boardId, refusal, onClose }: Props) {
  const query = useRead(`${area}/groups/list-archived`, { board_id: boardId })
  const archiving = useWrite(`${area}/groups/archive`, { failed: t('The group was not archived') })
  const restoring = useWrite(`${area}/groups/unarchive`, {
    failed: t('The group was not restored'),
    done: ({ id }, { group }) =>
      showToast(t('Restored “{title}”', { title: group.title }), () => archiving.mutate({ id })),
  })
  return (
    <Dialog title={t('Archived groups')} onClose={onClose}>
      <Reading query={query} failed={t('The archived groups could not be loaded')}>
        {({ groups }) =>
          groups.length === 0 ? (
            <Empty title={t('No archived groups')}>
              {t('Archive a group in its menu to take it off the board with its cards.')}
            </Empty>
          ) : (
            <ul className="archived-groups" aria-label={t('Archived')}>
              {groups.map(({ id, title, icon, color, cards_count: count, new_cards_count: fresh }) => (
                <li key={id}>
                  <Sign icon={icon} color={color} />
                  <span className="archived-title truncate" dir="auto">
                    {title}
                  </span>
                  <span className="archived-count numbers">
                    {counted(count, { one: '{count} card', other: '{count} cards' })}
                    {fresh > 0 && ` · ${t('{count} new from the template', { count: fresh })}`}
                  </span>
                  <Button
                    refusal={refusal}
                    isBusy={restoring.isPending && restoring.variables.id === id}
                    onClick={() => restoring.mutate({ id })}
                  >
                    {rich('Restore<hidden> {title}</hidden>', { hidden, title })}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
