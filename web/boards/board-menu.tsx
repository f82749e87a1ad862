import { Archive, Ellipsis, Pencil, Settings2, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { area } from '../data/client.ts'
import { useWrite } from '../data/write.ts'
import { DraftScope } from '../drafts/draft-scope.tsx'
import { useDraft } from '../drafts/drafts.ts'
import { useRefusal } from '../identity/permissions.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Choose } from '../ui/choose.tsx'
import { ColorField } from '../ui/color-field.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { IconField } from '../ui/icon-field.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Menu } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'
import { counted, t } from '../words/words.ts'
import { TitleField } from './title-field.tsx'

const ArchivedGroups = loadable(() => import('./archived-groups.tsx'))

interface Named {
  id: number
  title: string
  icon: string | null
  color: string | null
  done_closes_cards: boolean
}

interface Props {
  board: Named
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

function RenameBoard({ board, onClose }: { board: Named; onClose(): void }) {
  const draft = useDraft(`title of board ${board.id}`)
  const title = draft.text ?? board.title
  const renaming = useWrite(`${area}/boards/update`, { failed: t('The board was not renamed') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    renaming.mutate(
      { id: board.id, title },
      {
        onSuccess() {
          draft.clear()
          onClose()
        },
      },
    )
  }
  const close = () => {
    draft.discard()
    onClose()
  }
  return (
    <Dialog title={t('Rename board')} onClose={close}>
      <form onSubmit={submit}>
        <TitleField
          title={title}
          hint={draft.isFound ? t('Unsaved draft') : undefined}
          error={renaming.error}
          onChange={draft.write}
        />
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={renaming.isPending}>
            {t('Rename')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const doneChoices = { close: t('Are marked Done'), keep: t('Keep their status') }

interface SettingsProps {
  board: Named
  refusal: string | undefined
  onClose(): void
}

function BoardSettings({ board, refusal, onClose }: SettingsProps) {
  const { mutate } = useWrite(`${area}/boards/update`, { failed: t('The board was not changed') })
  const { id, icon, color, done_closes_cards: doneClosesCards } = board
  return (
    <Dialog title={t('Board settings')} onClose={onClose}>
      <dl className="fields">
        <IconField
          icon={icon}
          color={color}
          refusal={refusal}
          onChoose={(chosen) => mutate({ id, icon: chosen })}
        />
        <ColorField color={color} refusal={refusal} onChoose={(chosen) => mutate({ id, color: chosen })} />
        <Choose
          name={t('Cards moved to done groups')}
          refusal={refusal}
          shown={doneClosesCards ? doneChoices.close : doneChoices.keep}
          chosen={doneClosesCards ? 'close' : 'keep'}
          choices={Object.entries(doneChoices).map(([choice, label]) => ({ id: choice, label }))}
          onChoose={(chosen) => mutate({ id, done_closes_cards: chosen === 'close' })}
        />
      </dl>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
