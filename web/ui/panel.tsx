import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { isTyping } from './commands.ts'
import { isAnythingFloating } from './floating.ts'
import './panel.css'

interface Props {
  label: string
  /** At the left of the top row. */
  heading: ReactNode
  actions?: ReactNode
  onClose(): void
  children: ReactNode
}

/** A panel beside the content, which stays usable; Esc closes it. */
export function Panel({ label, heading, actions, onClose, children }: Props) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a slow network it opens late; what is being typed elsewhere by then stays where it is.
    if (!isTyping(document.activeElement)) panel.current?.focus()
  }, [])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // A menu above it closes first, and a field cancels its change first.
      const isTaken = event.defaultPrevented || isAnythingFloating()
      if (event.key === 'Escape' && !isTaken) onClose()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [onClose])
  return (
    <aside ref={panel} className="panel" aria-label={label} tabIndex={-1}>
      <header className="panel-header">
        <div className="panel-heading truncate">{heading}</div>
        {actions}
        <IconButton label={t('Close')} icon={<X />} onClick={onClose} />
      </header>
      <div className="panel-body">{children}</div>
    </aside>
  )
}
