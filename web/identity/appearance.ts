import { t } from '../words/words.ts'

export const themes: Record<string, string> = { system: t('System'), light: t('Light'), dark: t('Dark') }

/** Stored in this browser; start.ts applies it before the first paint. */
export function chooseTheme(theme: string) {
  if (theme === 'system') {
    localStorage.removeItem('theme')
    delete document.documentElement.dataset['theme']
  } else {
    localStorage.setItem('theme', theme)
    document.documentElement.dataset['theme'] = theme
  }
}

export const chosenTheme = () => localStorage.getItem('theme') ?? 'system'

/** For useSyncExternalStore. */
export function onThemeChange(onChange: () => void) {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
