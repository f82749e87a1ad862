import { useState } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { t } from '../../words/words.ts'

const themes = { system: t('System'), light: t('Light'), dark: t('Dark') }

/** Stored in this browser; start.ts applies it before the first paint. */
export function Theme() {
  const [chosen, setChosen] = useState(localStorage.getItem('theme') ?? 'system')
  const choose = (theme: string) => {
    setChosen(theme)
    if (theme === 'system') {
      localStorage.removeItem('theme')
      delete document.documentElement.dataset['theme']
    } else {
      localStorage.setItem('theme', theme)
      document.documentElement.dataset['theme'] = theme
    }
  }
  return (
    <section className="account-section" aria-labelledby="account-theme">
      <h2 id="account-theme">{t('Appearance')}</h2>
      <Segments label={t('Appearance')} choices={themes} chosen={chosen} onChoose={choose} />
    </section>
  )
}
