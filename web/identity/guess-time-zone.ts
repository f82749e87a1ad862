import { useEffect } from 'react'
import { identity } from '../data/client.ts'
import { useProject } from '../data/project.tsx'

/** The first page is loaded by then. */
const patienceMilliseconds = 3000

/** Tells the service the time zone of the browser, unless the person has one; they can change it on the account page. */
export function useGuessedTimeZone(): void {
  const { me, client } = useProject()
  const isUnknown = me.user.time_zone === null
  useEffect(() => {
    if (!isUnknown) return
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    // A zone that the service does not know is as good as none.
    const tell = () => void client.call(`${identity}/users/update`, { time_zone: timeZone }).catch(() => {})
    const timer = setTimeout(tell, patienceMilliseconds)
    return () => clearTimeout(timer)
  }, [isUnknown, client])
}
