// What the command menu can do on the open page. Components add their actions while they are shown; shell/ uses them.
import { useEffect, useRef } from 'react'
import type { MenuAction, MenuEntry } from './menu.tsx'

/** An action that asks for one of its choices. A list is filtered by what is typed; a function reads it. */
export interface CommandChoice extends Omit<MenuAction, 'onSelect'> {
  /** Pressed alone, it asks at once. */
  key?: string
  choices: MenuAction[] | ((text: string) => MenuAction[])
}

/** An action that a key runs, too. */
interface CommandAction extends MenuAction {
  key: string
}

/** The actions of one thing, such as the focused card. */
export interface CommandSection {
  section: string
  entries: (MenuEntry | CommandAction | CommandChoice)[]
  /** Of the page; listed after what has the focus. */
  isOfPage?: boolean
}

const providers = new Set<() => CommandSection[]>()
const listeners = new Set<(added: CommandSection[]) => void>()

/** Adds actions to the command menu; asked for when it opens, before it takes the focus, or as soon as they are there. */
export function useCommands(provide: () => CommandSection[]): void {
  const latest = useRef(provide)
  latest.current = provide
  useEffect(() => {
    const current = () => latest.current()
    providers.add(current)
    for (const listener of listeners) listener(current())
    return () => {
      providers.delete(current)
    }
  }, [])
}

/** Hears of actions whose code is loaded after the menu was opened. */
export function onCommandsAdded(listener: (added: CommandSection[]) => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** What has the focus comes before the page. */
export const inOrder = (sections: readonly CommandSection[]): CommandSection[] =>
  sections.toSorted((a, b) => Number(a.isOfPage ?? false) - Number(b.isOfPage ?? false))

export const currentCommands = (): CommandSection[] => inOrder([...providers].flatMap((provide) => provide()))

/** What a key does to the thing in focus, which may be refused; undefined if it does nothing there. */
export const commandOfKey = (key: string): CommandAction | CommandChoice | undefined =>
  currentCommands()
    .filter(({ isOfPage }) => !isOfPage)
    .flatMap(({ entries }) => entries)
    .find(
      (entry): entry is CommandAction | CommandChoice =>
        typeof entry === 'object' && 'key' in entry && entry.key === key,
    )

/** Whether keys belong to what the person types. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))

/** What has the focus while its last key waits for code; what is typed after that key is not for the page. */
export const waiting: { at?: EventTarget | undefined } = {}
