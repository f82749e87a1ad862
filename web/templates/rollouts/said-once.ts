import { useEffect, useRef } from 'react'
import { announce } from '../../ui/announcer.tsx'
import type { Push } from './types.ts'
import { countsInWords, isUnderWay, statusNames } from './words.ts'

/** Announces the start and result of a rollout to screen readers, but not its progress, which changes twice a second. */
export function useSaidOnce(push: Push) {
  const said = useRef<Push['status']>(undefined)
  useEffect(() => {
    const isNews = said.current === undefined ? isUnderWay(push) : said.current !== push.status
    said.current = push.status
    if (isNews) announce(`${push.title}: ${statusNames[push.status]} (${countsInWords(push)})`)
  }, [push])
}
