import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  Clock,
  LoaderCircle,
  X,
} from 'lucide-react'
import { Link } from 'wouter'
import { useProject } from '../../data/project.tsx'
import { IconButton } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { RolloutActions } from './rollout-actions.tsx'
import { RolloutBar, RolloutCounts } from './rollout-bar.tsx'
import type { Rollout } from './types.ts'
import './rollout-strip.css'
import { useSaidOnce } from './said-once.ts'
import { isPlan, isUnderWay, progressInWords } from './words.ts'

interface Props {
  rollout: Rollout
  /** Whether it started while the page was open. */
  isNew: boolean
  onDismiss(): void
}

/** The progress and then the results of a rollout, on its template's page. */
export function RolloutStrip({ rollout, isNew, onDismiss }: Props) {
  const { base } = useProject()
  useSaidOnce(rollout, isNew)
  return (
    <section className="rollout-strip" aria-label={t('Rollout of {title}', { title: rollout.title })}>
      <RolloutSign rollout={rollout} />
      <div className="rollout-strip-words">
        <p>{progressInWords(rollout)}</p>
        <RolloutBar rollout={rollout} />
        <RolloutCounts rollout={rollout} />
      </div>
      <div className="rollout-strip-actions">
        <RolloutActions rollout={rollout} />
        <Link className="rollout-strip-link" href={`${base}/rollouts/${rollout.id}`}>
          {t('Results')}
        </Link>
        {!isUnderWay(rollout) && (
          <IconButton label={t('Hide this result')} icon={<X />} onClick={onDismiss} />
        )}
      </div>
    </section>
  )
}

/** The status of a rollout as an icon. */
export function RolloutSign({ rollout }: { rollout: Rollout }) {
  if (isUnderWay(rollout)) return <LoaderCircle className="rollout-sign rollout-running" aria-hidden="true" />
  if (rollout.counts.failed > 0)
    return <CircleAlert className="rollout-sign rollout-failed" aria-hidden="true" />
  if (rollout.status === 'paused') return <CirclePause className="rollout-sign" aria-hidden="true" />
  if (rollout.status === 'waiting') return <Clock className="rollout-sign" aria-hidden="true" />
  if (isPlan(rollout)) return <CircleDashed className="rollout-sign" aria-hidden="true" />
  if (rollout.status === 'canceled') return <CircleSlash className="rollout-sign" aria-hidden="true" />
  return <CircleCheck className="rollout-sign rollout-done" aria-hidden="true" />
}
