import { useSyncExternalStore } from 'react'
import { Segments } from '../../ui/segments.tsx'
import { t } from '../../words/words.ts'
import { appearances, chooseAppearance, chosenAppearance, onAppearanceChange } from '../appearance.ts'

export function Appearance() {
  const chosen = useSyncExternalStore(onAppearanceChange, chosenAppearance)
  return (
    <section className="account-section" aria-labelledby="account-appearance">
      <h2 id="account-appearance">{t('Appearance')}</h2>
      <Segments label={t('Appearance')} choices={appearances} chosen={chosen} onChoose={chooseAppearance} />
    </section>
  )
}
