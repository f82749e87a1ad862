import { useSyncExternalStore } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { t } from '../../words/words.ts'
import { chooseTheme, chosenTheme, onThemeChange, themes } from '../appearance.ts'

export function Theme() {
  const chosen = useSyncExternalStore(onThemeChange, chosenTheme)
  return (
    <section className="account-section" aria-labelledby="account-theme">
      <h2 id="account-theme">{t('Appearance')}</h2>
      <Segments label={t('Appearance')} choices={themes} chosen={chosen} onChoose={chooseTheme} />
    </section>
  )
}
