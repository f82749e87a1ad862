import { createContext, use, useState } from 'react'
import { colors } from '#text/colors.ts'
import './avatar.css'

/** The addresses of photos by the ids of people. */
export const PhotosContext = createContext<ReadonlyMap<number, string>>(new Map())

/** A person's photo, or their initials in a fixed color. Where it stands alone it has their name; elsewhere the name is beside it. */
export function Avatar({ id, name, isAlone }: { id: number; name: string; isAlone?: boolean }) {
  const photo = use(PhotosContext).get(id)
  /** A photo that was replaced meanwhile is no longer there. */
  const [missing, setMissing] = useState<string>()
  const isShown = photo !== undefined && photo !== missing
  return (
    <span
      className="avatar"
      {...(isAlone ? { role: 'img', 'aria-label': name, 'data-tip': name } : { 'aria-hidden': true })}
      data-hue={colors[id % colors.length]}
    >
      {isShown ? <img src={photo} alt="" onError={() => setMissing(photo)} /> : initials(name)}
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
