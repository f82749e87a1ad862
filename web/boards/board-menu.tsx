import { Archive, Ellipsis, Pencil, Settings2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { area } from '../data/client.ts'
import { useWrite } from '../data/write.ts'
import { DraftScope } from '../drafts/draft-scope.tsx'
import { useRefusal } from '../identity/permissions.ts'
import { IconButton } from '../ui/button.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Menu } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'
import { counted, t } from '../words/words.ts'
import type { NamedBoard } from './types.ts'

const ArchivedGroups = loadable(() => import('./archived-groups.tsx'))
const BoardSettings = loadable(() => import('./board-settings.tsx'))
const RenameBoard = loadable(() => import('./rename-board.tsx'))

interface Props {
  board: NamedBoard
  cardsCount: number
  onDeleted?(): void
}

/** The actions on a whole board, in the list and on its page. */
export function BoardMenu({ board, cardsCount, onDeleted }: Props) {
  const refusal = useRefusal('manage')
  const [isRenaming, setRenaming] = useState(false)
  const [hasSettings, setSettings] = useState(false)
  const [hasArchive, setArchive] = useState(false)
  const restoring = useWrite(`${area}/boards/restore`, { failed: t('The board was not restored') })
  const deleting = useWrite(`${area}/boards/delete`, {
    failed: t('The board was not deleted'),
    done({ id }) {
      showToast(t('Deleted “{title}”', { title: board.title }), () => restoring.mutate({ id }))
      onDeleted?.()
    },
  })
  const label = t('Actions for the board {title}', { title: board.title })
  return (
    <>
      <Menu
        label={label}
        entries={() => [
          { label: t('Rename'), icon: <Pencil />, refusal, onSelect: () => setRenaming(true) },
          { label: t('Board settings…'), icon: <Settings2 />, refusal, onSelect: () => setSettings(true) },
          { label: t('Archived groups…'), icon: <Archive />, onSelect: () => setArchive(true) },
          {
            label:
              cardsCount === 0
                ? t('Delete board')
                : counted(cardsCount, {
                    one: 'Delete board and {count} card',
                    other: 'Delete board and {count} cards',
                  }),
            icon: <Trash2 />,
            isDanger: true,
            refusal,
            onSelect: () => deleting.mutate({ id: board.id }),
          },
        ]}
        trigger={(props) => <IconButton {...props} label={label} icon={<Ellipsis />} />}
      />
      {isRenaming && (
        <DraftScope of={`board ${board.id}`}>
          <RenameBoard board={board} onClose={() => setRenaming(false)} />
        </DraftScope>
      )}
      {hasSettings && <BoardSettings board={board} refusal={refusal} onClose={() => setSettings(false)} />}
      {hasArchive && (
        <ArchivedGroups boardId={board.id} refusal={refusal} onClose={() => setArchive(false)} />
      )}
    </>
  )
}
