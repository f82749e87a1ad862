import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import { useBoard } from './context.tsx'
import { NewTitle } from './new-title.tsx'

const usualGroups = [t('To do'), t('Doing'), t('Done')]

export function AddGroup({ isFirst }: { isFirst: boolean }) {
  const { stage, manageRefusal, place } = useBoard()
  const draft = useDraft(`new group of ${place}`)
  const [isOpened, setOpened] = useState(false)
  const isOpen = isOpened || draft.text !== undefined
  const [isAdding, setAdding] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const add = (
    <Button
      look={isFirst ? 'secondary' : 'quiet'}
      icon={<Plus />}
      refusal={manageRefusal}
      onClick={() => setOpened(true)}
    >
      {t('Add group')}
    </Button>
  )
  if (!isOpen && manageRefusal === viewOnly)
    return isFirst && <Empty title={t('No groups yet')}>{t('There is nothing on this board yet.')}</Empty>
  if (!isOpen && isFirst)
    return (
      <Empty
        title={t('No groups yet')}
        action={
          <div className="add-group-first">
            <Button
              refusal={manageRefusal}
              isBusy={isAdding}
              onClick={() => {
                setAdding(true)
                void stage.groups
                  .create(stage.now().board, ...usualGroups)
                  // The failure is already shown.
                  .catch(() => {})
                  .finally(() => setAdding(false))
              }}
            >
              {t('Add “To do”, “Doing” and “Done”')}
            </Button>
            {add}
          </div>
        }
      >
        {t(
          'Groups are the columns of a board; cards go into them. Begin with the three usual ones, or with your own.',
        )}
      </Empty>
    )
  if (!isOpen) return <div className="add-group">{add}</div>
  return (
    <div className="add-group">
      <NewTitle
        draft={draft}
        field={field}
        label={t('Title of the new group')}
        placeholder={t('Group title')}
        refusal={manageRefusal}
        onAdd={(title) => {
          setOpened(true)
          return stage.groups.create(stage.now().board, title)
        }}
        onClose={() => setOpened(false)}
      />
    </div>
  )
}
