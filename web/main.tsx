import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './base.css'
import { App } from './app.tsx'
import { keepFocus } from './ui/keep-focus.ts'
import './print.css'

/** The width of this browser's thin scrollbars, so that columns look the same with and without one. */
function measureScrollbar(): number {
  const box = document.createElement('div')
  box.className = 'slim-scroll'
  Object.assign(box.style, {
    overflowY: 'auto',
    scrollbarGutter: 'stable',
    position: 'absolute',
    width: '50px',
    visibility: 'hidden',
  })
  document.body.append(box)
  const width = box.offsetWidth - box.clientWidth
  box.remove()
  return width
}

document.documentElement.style.setProperty('--scrollbar', `${measureScrollbar()}px`)

keepFocus()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
