import './dot.css'

/** The colors that things may have; any other word is gray. */
export const colors = ['red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink']

export const hueOf = (color: string | null): string =>
  color !== null && colors.includes(color) ? color : 'grey'

export const Dot = ({ color }: { color: string | null }) => (
  <span className="dot" data-hue={hueOf(color)} aria-hidden="true" />
)
