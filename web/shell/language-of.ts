import { useEffect, useLayoutEffect, useState } from 'react'
import type { Language } from '#languages/known.ts'
import type { Me } from '../data/project.tsx'
import { otherLanguage, speak } from '../words/choosing.ts'

/** Loads the app again if the person who has signed in speaks another language; later changes wait for the next page. */
export function useLanguageOf(me: Me | undefined): boolean {
  const [first, setFirst] = useState(me)
  if (first?.user.id !== me?.user.id) setFirst(me)
  const [theirs, setTheirs] = useState<Language>()
  useLayoutEffect(() => setTheirs(otherLanguage(first?.user.language ?? null)), [first])
  useEffect(() => theirs && speak(theirs), [theirs])
  return theirs !== undefined
}
