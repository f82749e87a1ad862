import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { isTyping } from '../../ui/commands.ts'
import { type MenuEntry, MenuOf } from '../../ui/menu.tsx'
import { usePopover } from '../../ui/popover.tsx'
import { t } from '../../words/words.ts'
import './card-menu.css'

interface Props {
  /** Undefined if there is nothing to choose from. */
  menuOf(cardId: number): { title: string; entries: MenuEntry[] } | undefined
  children: ReactNode
}

/** What a table, calendar or list of cards is in: a right click on a card, or M, opens its menu. */
export function CardMenu({ menuOf, children }: Props) {
  const menu = usePopover()
  const [chosen, setChosen] = useState<number>()
  const shown = menu.isOpen && chosen !== undefined ? menuOf(chosen) : undefined
  const choose = (link: HTMLElement): boolean => {
    const cardId = Number(link.dataset['cardId'])
    if (!menuOf(cardId)) return false
    setChosen(cardId)
    // Where the focus returns to.
    menu.anchor.current = link as HTMLButtonElement
    return true
  }
  const onContextMenu = (event: MouseEvent) => {
    const link = linkAt(event.target)
    if (!link || !choose(link)) return
    event.preventDefault()
    const { clientX: x, clientY: y, buttons } = event
    const open = () => menu.open({ x, y })
    // Where the button is still down, its release would close the menu again.
    if (buttons === 0) open()
    else window.addEventListener('pointerup', () => setTimeout(open), { once: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    if (key !== 'm' || ctrlKey || metaKey || altKey || event.defaultPrevented || isTyping(target)) return
    const link = linkAt(target)
    if (!link || !choose(link)) return
    event.preventDefault()
    menu.open()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cards in it take the focus, and the key for menus.
    <div className="card-menu-area" onContextMenu={onContextMenu} onKeyDown={onKeyDown}>
      {children}
      {shown && (
        <MenuOf
          state={menu}
          label={t('Actions for {title}', { title: shown.title })}
          entries={() => shown.entries}
          trigger={() => null}
        />
      )}
    </div>
  )
}

/** The card whose row has the focus. */
export function focusedCard(): number | undefined {
  const id = linkAt(document.activeElement)?.dataset['cardId']
  return id === undefined ? undefined : Number(id)
}

/** The link of the card whose row or entry an element is in. */
function linkAt(element: unknown): HTMLElement | undefined {
  const row = element instanceof Element ? element.closest('[data-card-row]') : null
  return row?.querySelector<HTMLElement>('[data-card-id]') ?? undefined
}
