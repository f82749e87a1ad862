import { useState } from 'react'

/** Plans something once: a second click does nothing until the page of the plan has opened, or planning has failed. */
export function useSentOnce<Values extends unknown[]>(plan: (...values: Values) => Promise<unknown>) {
  const [isSent, setSent] = useState(false)
  const send = (...values: Values) => {
    if (isSent) return
    setSent(true)
    plan(...values).catch(() => setSent(false))
  }
  return { isSent, send }
}
