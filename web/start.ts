// Runs in the page itself, before any file of the app is loaded (vite.config.ts writes it there as text).

/** The addresses of files, by the page that needs them. */
export type FilesByPage = Record<'sign-in' | 'home' | 'board', string[]>

/** Imports nothing and uses nothing outside of itself, because only its own text is in the page. */
export function start(files: FilesByPage): void {
  const root = document.documentElement
  const { pathname } = location
  const [, project, page = '', id] = /^\/p\/(\d+)(?:\/(\w+))?(?:\/(\d+))?/.exec(pathname) ?? []
  const isBoard = page === 'boards' && id !== undefined
  const isTemplate = /^\/operator\/templates\/\d/.test(pathname)
  const isEntrance =
    /^\/(sign-in|setup|two-factor|forgot-password|reset-password|invitation|confirm-email|sign-up|single-sign-on)/.test(
      pathname,
    )

  // Before the first paint, so that a chosen appearance never flashes in the other one.
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme
  root.dataset['rail'] = localStorage.getItem('rail') ?? 'open'
  root.dataset['outline'] = isEntrance ? 'entrance' : isBoard || isTemplate ? 'board' : 'list'

  // What the page needs is requested together with the app, not after it.
  const isHome = pathname === '/' || page === 'home'
  const isSignIn = pathname === '/sign-in'
  const needed = isSignIn ? files['sign-in'] : isBoard ? files.board : isHome ? files.home : []
  for (const href of needed) {
    const link = document.createElement('link')
    const isStyle = href.endsWith('.css')
    Object.assign(link, isStyle ? { rel: 'preload', as: 'style', href } : { rel: 'modulepreload', href })
    link.crossOrigin = ''
    document.head.append(link)
  }

  // Letters that are pressed outside of fields before the code that hears them is loaded (shell/keys.tsx), with what follows them.
  const heldKeys: KeyboardEvent[] = []
  const holdKey = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isTrusted, target, timeStamp } = event
    // A page without such keys, as before a project is opened, is usable all the same.
    if (timeStamp - (heldKeys.at(-1)?.timeStamp ?? 0) > 10_000) heldKeys.length = 0
    const element = target as HTMLElement
    const isTyped = element.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(element.tagName)
    const isKey = ctrlKey || metaKey ? key.toLowerCase() === 'k' : key.length === 1 && key !== ' '
    const isNext = heldKeys.length > 0 && /^( |Enter|Backspace|Escape)$/.test(key)
    if (!isTrusted || altKey || isTyped || !(isKey || isNext)) return
    event.preventDefault()
    event.stopPropagation()
    heldKeys.push(event)
  }
  if (!isEntrance) addEventListener('keydown', holdKey, { capture: true })

  const answers = new Map<string, Promise<Response>>()
  const ask = (path: string, input: object) => {
    const url = `/api/services/${path}`
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      'accept-language': root.lang,
      ...(project && { 'x-project-id': project }),
    }
    const body = JSON.stringify(input)
    const answer = fetch(url, { method: 'POST', headers, body })
    // The app asks again.
    answer.catch(() => {})
    answers.set(`${url} ${project ?? ''} ${body}`, answer)
  }
  // The same as shell/shell.tsx and identity/me.ts ask.
  if (!isEntrance) ask('identity/v2/users/me', project ? { with_tour: true } : {})
  if (isBoard) {
    ask('operations/v2/operations/boards/get', { id: Number(id) })
    ask('operations/v2/operations/boards/get-personal', { board_id: Number(id) })
  }
  if (page === 'home') {
    ask('operations/v2/operations/home/get', {})
    const now = new Date()
    const midnight = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())
    ask('operations/v2/operations/boards/list', { today: new Date(midnight).toISOString().slice(0, 10) })
  }
  Object.assign(window, { earlyAnswers: answers, heldKeys, holdKey })
}
