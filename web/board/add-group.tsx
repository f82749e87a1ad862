import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { useBoard } from './context.tsx'

export function AddGroup() {
  const { stage, manageRefusal } = useBoard()
  const [isOpen, setOpen] = useState(false)
  if (!isOpen)
    return (
      <div className="add-group">
        <Button look="quiet" icon={<Plus />} refusal={manageRefusal} onClick={() => setOpen(true)}>
          Add group
        </Button>
      </div>
    )
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
          stage.groups.create(title)
          event.currentTarget.value = ''
        }}
      />
    </div>
  )
}
