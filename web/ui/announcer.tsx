import { useEffect, useRef } from 'react'

const name = 'announcement'

/** Announces a text to screen readers. */
export function announce(text: string): void {
  document.dispatchEvent(new CustomEvent(name, { detail: text }))
}

/** Renders nothing if another announcer is active. */
export function Announcer({ isInUse }: { isInUse: boolean }) {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isInUse) return
    const say = (event: Event) => {
      if (region.current) region.current.textContent = (event as CustomEvent<string>).detail
    }
    document.addEventListener(name, say)
    return () => document.removeEventListener(name, say)
  }, [isInUse])
  return (
    <div
      ref={region}
      className="visually-hidden"
      aria-live="assertive"
      aria-atomic="true"
      data-announcer={isInUse ? '' : undefined}
    />
  )
}
