import { Announcer } from './announcer.tsx'
import { Toasts } from './toast.tsx'
import { useIsTopmost } from './topmost.ts'

/** What is shown and read out without being asked for: once on the page, and once in every dialog. */
export function Notifications() {
  const isTopmost = useIsTopmost()
  return (
    <>
      <Toasts isInUse={isTopmost} />
      <Announcer isInUse={isTopmost} />
    </>
  )
}
