import { formatNumber } from '../words/locale.ts'
import { t } from '../words/words.ts'

/** How far a change of many has come; nothing if there is only one part. */
export const PartsDone = ({ done, all }: { done: number; all: number }) => (
  <p className="numbers" role="status">
    {t('{done} of {all}', { done: formatNumber(done), all: formatNumber(all) })}
  </p>
)
