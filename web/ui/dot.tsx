import { hueOf } from '#text/colors.ts'
import './dot.css'

export const Dot = ({ color }: { color: string | null }) => (
  <span className="dot" data-hue={hueOf(color)} aria-hidden="true" />
)
