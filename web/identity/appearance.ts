import { t } from '../words/words.ts'

export const appearances: Record<string, string> = { system: t('System'), light: t('Light'), dark: t('Dark') }

/** Stored in this browser; start.ts applies it before the first paint. */
export function chooseAppearance(appearance: string) {
  if (appearance === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem('theme', appearance)
    document.documentElement.dataset['theme'] = appearance
  }
}

export const chosenAppearance = () => localStorage.getItem('theme') ?? 'system'

/** For useSyncExternalStore. */
export function onAppearanceChange(onChange: () => void) {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
