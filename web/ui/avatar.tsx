import { colors } from '#text/colors.ts'
import './avatar.css'

/** A person's initials in a fixed color. Where it stands alone it has their name; elsewhere the name is beside it. */
export function Avatar({ id, name, isAlone }: { id: number; name: string; isAlone?: boolean }) {
  return (
    <span
      className="avatar"
      {...(isAlone ? { role: 'img', 'aria-label': name, 'data-tip': name } : { 'aria-hidden': true })}
      data-hue={colors[id % colors.length]}
    >
      {initials(name)}
    </span>
  )
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const first = [...(words[0] ?? '')][0] ?? '?'
  // In scripts without capitals, one character is enough.
  if (words.length < 2 || !/\p{Lu}/u.test(first)) return first
  return first + ([...(words.at(-1) ?? '')][0] ?? '')
}
