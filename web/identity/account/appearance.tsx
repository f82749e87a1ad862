import { useState } from 'react'
import { Segments } from '../../ui/segments.tsx'

const themes = { system: 'System', light: 'Light', dark: 'Dark' }

/** Stored in this browser; public/theme.js applies it before the first paint. */
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
      <h2 id="account-theme">Appearance</h2>
      <Segments label="Appearance" choices={themes} chosen={chosen} onChoose={choose} />
    </section>
  )
}
