import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/states.tsx'
import { useBoard } from './context.tsx'

const usualGroups = ['To do', 'Doing', 'Done']

export function AddGroup({ isFirst }: { isFirst: boolean }) {
  const { stage, manageRefusal } = useBoard()
  const [isOpen, setOpen] = useState(false)
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button
      look={isFirst ? 'secondary' : 'quiet'}
      icon={<Plus />}
      refusal={manageRefusal}
      onClick={() => setOpen(true)}
    >
      Add group
    </Button>
  )
  if (!isOpen && isFirst)
    return (
      <Empty
        title="No groups yet"
        action={
          <div className="add-group-first">
            <Button
              refusal={manageRefusal}
              isBusy={isAdding}
              onClick={() => {
                setAdding(true)
                void stage.groups.create(...usualGroups).finally(() => setAdding(false))
              }}
            >
              Add “To do”, “Doing” and “Done”
            </Button>
            {add}
          </div>
        }
      >
        Groups are the columns of a board; cards go into them. Begin with the three usual ones, or with your
        own.
      </Empty>
    )
  if (!isOpen) return <div className="add-group">{add}</div>
  return (
    <div className="add-group">
      <input
        className="input"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it.
        autoFocus
        maxLength={255}
        aria-label="Title of the new group"
        placeholder="Title, then Enter"
        dir="auto"
        onBlur={(event) => event.target.value.trim() === '' && setOpen(false)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          const title = event.currentTarget.value.trim()
          if (event.key === 'Escape' || (event.key === 'Enter' && title === '')) return setOpen(false)
          if (event.key !== 'Enter') return
          void stage.groups.create(title)
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
