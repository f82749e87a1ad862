import { Announcer } from './announcer.tsx'
import { Toasts } from './toast.tsx'
import { useIsTopmost } from './topmost.ts'

/** Toasts and announcements: once on the page, and once in every dialog. */
export function Notifications() {
  const isTopmost = useIsTopmost()
  return (
    <>
      <Toasts isInUse={isTopmost} />
      <Announcer isInUse={isTopmost} />
    </>
  )
}
