import { useSyncExternalStore } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { t } from '../../words/words.ts'

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

const chosenTheme = () => localStorage.getItem('theme') ?? 'system'

/** The command menu may choose it too. */
function subscribe(onChange: () => void) {
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

export function Theme() {
  const chosen = useSyncExternalStore(subscribe, chosenTheme)
  return (
    <section className="account-section" aria-labelledby="account-theme">
      <h2 id="account-theme">{t('Appearance')}</h2>
      <Segments label={t('Appearance')} choices={themes} chosen={chosen} onChoose={chooseTheme} />
    </section>
  )
}
