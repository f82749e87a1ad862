import type { ReactNode } from 'react'
import { pageHeading } from '../ui/keep-focus.ts'
import './alone.css'

/** The frame of pages without a sidebar, because no project is open. */
export const Alone = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="alone">
    <title>{`${title} · Cardinal`}</title>
    <h1 ref={pageHeading}>
      <img src="/favicon.svg" alt="" width="24" height="24" /> {'Cardinal'}
    </h1>
    {children}
  </main>
)
