import { useState } from 'react'

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const

/** Of this browser alone; public/theme.js puts it on before the first paint. */
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
      <h2 id="account-theme">Theme</h2>
      <div className="account-theme" role="radiogroup" aria-labelledby="account-theme">
        {Object.entries(themes).map(([theme, name]) => (
          <label key={theme}>
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={chosen === theme}
              onChange={() => choose(theme)}
            />
            {name}
          </label>
        ))}
      </div>
    </section>
  )
}
