import { useAskAgain } from '../data/ask-again.ts'
import { admin } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { useTimely } from '../ui/clock.ts'
import { dateInText } from '../ui/time.tsx'
import { t } from '../words/words.ts'
import './figures-age.css'

const path = `${admin}/overview/get-age` as const
/** Figures follow what people change within this time, so nothing is said of it. */
const usualMilliseconds = 10_000

const isOld = (at: string) => Date.now() - Date.parse(at) > usualMilliseconds

/** Says how old the figures of a page are while they lack what a rollout changed, or if they were counted a while ago. */
export function FiguresAge({ countedAt }: { countedAt?: string }) {
  const { data } = useRead(path, {}, { refetchOnMount: 'always' })
  useAskAgain(path, 10_000)
  const asOf = data?.as_of ?? null
  const words = useTimely(() => {
    if (asOf !== null && isOld(asOf))
      return t('Figures as of {time}: what a rollout has changed since is being counted.', {
        time: dateInText(asOf, true),
      })
    return countedAt !== undefined && isOld(countedAt)
      ? t('Figures as of {time}.', { time: dateInText(countedAt, true) })
      : ''
  })
  return (
    <p className="figures-age" role="status">
      {words}
    </p>
  )
}
