import { useEffect, useRef } from 'react'
import { announce } from '../../ui/announcer.tsx'
import type { Push } from './types.ts'
import { countsInWords, isUnderWay, statusNames } from './words.ts'

/** Tells screen readers that a rollout runs and what came of it; not each step between, of which there are two a second. */
export function useSaidOnce(push: Push) {
  const said = useRef<Push['status']>(undefined)
  useEffect(() => {
    const isNews = said.current === undefined ? isUnderWay(push) : said.current !== push.status
    said.current = push.status
    if (isNews) announce(`${push.title}: ${statusNames[push.status]} (${countsInWords(push)})`)
  }, [push])
}
