import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Language, languages } from '#languages/known.ts'
import { Button } from '../ui/button.tsx'
import { pageHeading } from '../ui/keep-focus.ts'
import { languageNames, speak } from '../words/choosing.ts'
import { language } from '../words/locale.ts'
import { rich } from '../words/rich.tsx'
import './entrance.css'
import { keepAnswers } from './kept-answers.ts'
import { useLinkSecret } from './link-secret.ts'

/** The frame of the sign-in and setup pages. */
export const Entrance = ({
  title,
  heading,
  children,
}: {
  title: string
  heading: string
  children: ReactNode
}) => (
  <main className="entrance">
    <title>{`${title} · Cardinal`}</title>
    <img src="/favicon.svg" alt="" width="40" height="40" />
    <h1 ref={pageHeading}>{heading}</h1>
    {isSecureContext ? children : <HttpsNeeded />}
    <Languages />
  </main>
)

function speakHere(chosen: Language) {
  keepAnswers()
  speak(chosen)
}

/** The other languages, each in itself. */
const Languages = () => (
  <p className="entrance-languages">
    {languages
      .filter((other) => other !== language)
      .map((other) => (
        <Button key={other} look="quiet" lang={other} onClick={() => speakHere(other)}>
          {languageNames[other]}
        </Button>
      ))}
  </p>
)

/** The session cookie needs https, so signing in over http cannot work. */
function HttpsNeeded() {
  const safe = `https://${location.host}${location.pathname}`
  const taken = useLinkSecret()
  const secret = taken === '' ? '' : `#${taken}`
  return (
    <Problem>
      {rich('Sign-in needs a secure connection. Open {address}, or ask your administrator to set up https.', {
        address: <a href={safe + secret}>{safe}</a>,
      })}
    </Problem>
  )
}

/** An error message above the form. */
export const Problem = ({ children }: { children: ReactNode }) => (
  <p className="entrance-problem" role="alert">
    <TriangleAlert aria-hidden="true" />
    <span>{children}</span>
  </p>
)

/** What the person should know before they fill in the form. */
export const Hint = ({ children }: { children: ReactNode }) => (
  <p className="entrance-hint" role="status">
    {children}
  </p>
)

/** Accepts only addresses of this app, so that no link can redirect to another site. */
export function localPath(to: string | null): string {
  const { origin } = location
  const url = to?.startsWith('/') && URL.canParse(to, origin) ? new URL(to, origin) : undefined
  const isLocal = url?.origin === origin && !url.pathname.startsWith('//')
  return isLocal ? url.pathname + url.search + url.hash : '/'
}
