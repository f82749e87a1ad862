import { Dot } from '../ui/signs.tsx'
import './behind.css'

/** How many projects have not seen the newest version. */
export const Behind = ({ count }: { count: number }) => (
  <span className="behind numbers">
    <Dot color="amber" />
    {count.toLocaleString()}
  </span>
)
