import { useEffect, useRef } from 'react'
import { announce } from '../../ui/announcer.tsx'
import type { Rollout } from './types.ts'
import { countsInWords, isUnderWay, statusInWords } from './words.ts'

/**
 * Announces the start and result of a rollout to screen readers, but not its progress, which changes twice a second. `isNew` says that it
 * started while the page was open, so its result is news even if it was done before the page has read of it.
 */
export function useSaidOnce(rollout: Rollout, isNew = false) {
  const said = useRef<Rollout['status']>(undefined)
  useEffect(() => {
    const isNews = said.current === undefined ? isNew || isUnderWay(rollout) : said.current !== rollout.status
    said.current = rollout.status
    if (isNews) announce(`${rollout.title}: ${statusInWords(rollout)} (${countsInWords(rollout)})`)
  }, [rollout, isNew])
}
