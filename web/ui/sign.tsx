import { useEffect, useState } from 'react'
import { hueOf } from '#text/colors.ts'
import { Dot } from './dot.tsx'
import './sign.css'

interface Props {
  icon: string | null
  color: string | null
}

/** How a board, group or tag is recognized: its icon in its color, or a dot without an icon. */
export const Sign = ({ icon, color }: Props) =>
  icon === null ? <Dot color={color} /> : <Drawn icon={icon} color={color} />

/** The same for things that have neither by default. */
export const OptionalSign = ({ icon, color }: Props) =>
  icon === null && color === null ? null : <Sign icon={icon} color={color} />

/** Loaded with the first icon that is shown, because they are 8 kB that most first pages do not need. */
let drawings: typeof import('./drawings.ts') | undefined
const load = async () => {
  drawings ??= await import('./drawings.ts')
}

function Drawn({ icon, color }: Props & { icon: string }) {
  const [, setLoaded] = useState(drawings !== undefined)
  useEffect(() => {
    // Without the drawing its place stays empty, and the name beside it says the same.
    if (!drawings)
      load().then(
        () => setLoaded(true),
        () => {},
      )
  }, [])
  const Drawing = drawings?.drawingOf(icon)
  return (
    <span className="sign" data-hue={hueOf(color)} data-icon={icon} aria-hidden="true">
      {Drawing && <Drawing />}
    </span>
  )
}
