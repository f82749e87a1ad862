import { CircleAlert, CircleCheck, CircleSlash, LoaderCircle, X } from 'lucide-react'
import { Link } from 'wouter'
import { useProject } from '../../data/project.tsx'
import { IconButton } from '../../ui/button.tsx'
import { PushActions } from './rollout-actions.tsx'
import { PushBar, PushCounts } from './rollout-bar.tsx'
import type { Push } from './types.ts'
import './rollout-strip.css'
import { useSaidOnce } from './said-once.ts'
import { isUnderWay, progressInWords } from './words.ts'

/** The progress and then the results of a rollout, on its template's page. */
export function PushStrip({ push, onDismiss }: { push: Push; onDismiss(): void }) {
  const { base } = useProject()
  useSaidOnce(push)
  return (
    <section className="push-strip" aria-label={`Rollout of ${push.title}`}>
      <PushSign push={push} />
      <div className="push-strip-words">
        <p>{progressInWords(push)}</p>
        <PushBar push={push} />
        <PushCounts push={push} />
      </div>
      <div className="push-strip-actions">
        <PushActions push={push} />
        <Link className="push-strip-link" href={`${base}/pushes/${push.id}`}>
          Results
        </Link>
        {!isUnderWay(push) && <IconButton label="Hide this result" icon={<X />} onClick={onDismiss} />}
      </div>
    </section>
  )
}

/** The status of a rollout as an icon. */
export function PushSign({ push }: { push: Push }) {
  if (isUnderWay(push)) return <LoaderCircle className="push-sign push-running" aria-hidden="true" />
  if (push.counts.failed > 0) return <CircleAlert className="push-sign push-failed" aria-hidden="true" />
  if (push.status === 'canceled') return <CircleSlash className="push-sign" aria-hidden="true" />
  return <CircleCheck className="push-sign push-done" aria-hidden="true" />
}
