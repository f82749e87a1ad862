import { area } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Sign } from '../ui/sign.tsx'
import { Empty } from '../ui/states.tsx'
import { showToast } from '../ui/toast.tsx'
import { counted } from '../words/words.ts'
import './archived-groups.css'

interface Props {
  boardId: number
  refusal: string | undefined
  onClose(): void
}

/** The archived groups of a board, each with a way back. */
export default function ArchivedGroups({ boardId, refusal, onClose }: Props) {
  const query = useRead(`${area}/groups/list-archived`, { board_id: boardId })
  const archiving = useWrite(`${area}/groups/archive`, { failed: 'The group was not archived' })
  const restoring = useWrite(`${area}/groups/unarchive`, {
    failed: 'The group was not restored',
    done: ({ id }, { group }) => showToast(`Restored “${group.title}”`, () => archiving.mutate({ id })),
  })
  return (
    <Dialog title="Archived groups" onClose={onClose}>
      <Reading query={query} failed="The archived groups could not be loaded">
        {({ groups }) =>
          groups.length === 0 ? (
            <Empty title="No archived groups">
              Archive a group in its menu to take it off the board with its cards.
            </Empty>
          ) : (
            <ul className="archived-groups" aria-label="Archived">
              {groups.map(({ id, title, icon, color, cards_count: count }) => (
                <li key={id}>
                  <Sign icon={icon} color={color} />
                  <span className="archived-title truncate" dir="auto">
                    {title}
                  </span>
                  <span className="archived-count numbers">
                    {counted(count, { one: '{count} card', other: '{count} cards' })}
                  </span>
                  <Button
                    refusal={refusal}
                    isBusy={restoring.isPending && restoring.variables.id === id}
                    onClick={() => restoring.mutate({ id })}
                  >
                    Restore<span className="visually-hidden"> {title}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
