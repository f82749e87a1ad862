import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useProject } from '../data/project.tsx'
import { useMay } from '../identity/permissions.ts'
import { useSignOut } from '../identity/sign-out.tsx'
import {
  type CommandChoice,
  type CommandSection,
  commandOfKey,
  currentCommands,
  inOrder,
  isTyping,
  onCommandsAdded,
  waiting,
} from '../ui/commands.ts'
import { isAnythingFloating } from '../ui/floating.ts'
import { loadable } from '../ui/loadable.tsx'
import { pressAgain } from '../ui/press-again.ts'
import { shortcutOf, useShortcut } from '../ui/shortcuts.ts'
import { showToast } from '../ui/toast.tsx'
import { viewOnly } from '../ui/view-only.ts'

const CommandMenu = loadable(() => import('./command-menu.tsx'))
const OperatorCommandMenu = loadable(() => import('./operator-command-menu.tsx'))
const KeyHelp = loadable(() => import('./key-help.tsx'))
const NewCard = loadable(() => import('../boards/board/new-card.tsx'))

type Opened =
  | { kind: 'commands'; sections: CommandSection[]; asking?: CommandChoice }
  | { kind: 'keys' }
  | { kind: 'new card' }

/** Where `g` and another key lead in a project. */
const destinations: Record<string, string> = {
  h: '/home',
  i: '/inbox',
  b: '/boards',
  m: '/my-cards',
  s: '/search',
  t: '/trash',
}

/** The same in the operator's area. */
const operatorDestinations: Record<string, string> = {
  o: '',
  p: '/projects',
  t: '/templates',
  r: '/rollouts',
}

/** How long the second key may take. */
const sequenceMilliseconds = 1500

/** The keys that work on every page. They leave alone what the person types, and everything while a menu or a dialog is open. */
export default function Keys() {
  const { base, isOperator } = useProject()
  const [, navigate] = useLocation()
  // The operator's area has no cards to add or to search.
  const mayWork = useMay('work') && !isOperator
  const [opened, setOpened] = useState<Opened>()
  const isOpened = opened !== undefined
  /** What is pressed after the key and before the dialog is loaded. */
  const early = useRef<KeyboardEvent[]>([])
  const pressEarly = useCallback(() => void pressAll(early.current), [])
  const openCommands = useCallback(() => setOpened({ kind: 'commands', sections: currentCommands() }), [])
  const openKeys = useCallback(() => setOpened({ kind: 'keys' }), [])
  useEffect(() => {
    let goUntil = 0
    // Once the dialog was shown, no more letters are kept for it: they are for the page again as soon as it closes.
    let wasShown = false
    const actions: Record<string, (() => void) | undefined> = {
      '?': openKeys,
      '/': () => (shortcutOf('/') ?? (() => navigate(`${base}${isOperator ? '/projects' : '/search'}`)))(),
      c: mayWork ? () => (shortcutOf('c') ?? (() => setOpened({ kind: 'new card' })))() : undefined,
      g: () => {
        goUntil = Date.now() + sequenceMilliseconds
      },
    }
    function actionOf({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): (() => void) | undefined {
      if (isAnythingFloating() || altKey) return undefined
      const isEditor = target instanceof HTMLElement && target.isContentEditable
      if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !isEditor ? openCommands : undefined
      if (isTyping(target) || target === waiting.at) return undefined
      const destination =
        Date.now() < goUntil ? (isOperator ? operatorDestinations : destinations)[key] : undefined
      goUntil = 0
      return destination === undefined
        ? (actions[key] ?? actionOfCommand(key))
        : () => navigate(base + destination)
    }
    function actionOfCommand(key: string): (() => void) | undefined {
      // Other keys need not wait until all commands of the page are made.
      const command = key.length === 1 ? commandOfKey(key) : undefined
      const refusal = command?.refusal
      if (refusal === viewOnly) return undefined
      if (refusal !== undefined) return () => void showToast(refusal)
      if (!command || !('choices' in command)) return command?.onSelect
      return () => setOpened({ kind: 'commands', sections: currentCommands(), asking: command })
    }
    // Before a focused card takes the second key for its own.
    const onKeyDown = (event: KeyboardEvent) => {
      wasShown ||= isOpened && isAnythingFloating()
      if (isOpened && !wasShown && isForDialog(event)) {
        early.current.push(event)
        event.preventDefault()
        event.stopPropagation()
        return
      }
      const action = event.repeat || event.isComposing ? undefined : actionOf(event)
      if (!action) return
      event.preventDefault()
      event.stopPropagation()
      action()
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [base, isOperator, isOpened, mayWork, navigate, openCommands, openKeys])
  useEffect(
    () =>
      onCommandsAdded((added) =>
        setOpened((now) =>
          now?.kind === 'commands' ? { ...now, sections: inOrder([...now.sections, ...added]) } : now,
        ),
      ),
    [],
  )
  useEffect(() => void pressHeldKeys(), [])
  const close = () => {
    early.current = []
    setOpened(undefined)
  }
  const signOut = useSignOut()
  const Menu = isOperator ? OperatorCommandMenu : CommandMenu
  useShortcut('commands', openCommands)
  const overlay =
    opened?.kind === 'commands' ? (
      <Menu
        sections={opened.sections}
        asking={opened.asking}
        onShown={pressEarly}
        onKeys={openKeys}
        onNewCard={() => setOpened({ kind: 'new card' })}
        onSignOut={signOut.ask}
        onClose={close}
      />
    ) : opened?.kind === 'keys' ? (
      <KeyHelp onClose={close} />
    ) : (
      opened && <NewCard onShown={pressEarly} onClose={close} />
    )
  return (
    <>
      {overlay}
      {signOut.dialog}
    </>
  )
}

/** True for a key that the dialog would have taken if it were here already. */
function isForDialog({ key, repeat, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || isTyping(target) || isAnythingFloating()) return false
  return /^.$/u.test(key) || (!repeat && /^(Enter|Backspace)$/.test(key))
}

/** What the page has held since it was opened (start.ts). */
const { heldKeys, holdKey } = window as Window & {
  heldKeys?: KeyboardEvent[]
  holdKey?(event: KeyboardEvent): void
}

const longestHold = 30_000

/** Presses the keys again that were pressed before this code was loaded. */
async function pressHeldKeys() {
  await pressAll(heldKeys ?? [])
  if (holdKey) removeEventListener('keydown', holdKey, { capture: true })
}

/** Presses keys again, as if for what has the focus by then. */
async function pressAll(keys: KeyboardEvent[]) {
  // React draws nothing at once during an effect.
  await Promise.resolve()
  for (let key = keys.shift(); key; key = keys.shift())
    // Not those of a page that was open long before.
    if (performance.now() - key.timeStamp < longestHold)
      pressAgain(key, (document.activeElement ?? document.body) as HTMLElement)
}
