import { useEffect, useRef } from 'react'

const name = 'announcement'

/** Says something to screen readers, at once. */
export function announce(text: string): void {
  document.dispatchEvent(new CustomEvent(name, { detail: text }))
}

export function Announcer() {
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const say = (event: Event) => {
      if (region.current) region.current.textContent = (event as CustomEvent<string>).detail
    }
    document.addEventListener(name, say)
    return () => document.removeEventListener(name, say)
  }, [])
  return (
    <div
      ref={region}
      className="visually-hidden"
      aria-live="assertive"
      aria-atomic="true"
      data-announcer=""
    />
  )
}
