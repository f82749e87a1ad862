import { Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { admin } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import type { Rollout } from './types.ts'

/** Above this number of projects, applying asks for confirmation. */
const manyProjects = 10

/** Applies or discards a plan. */
export function PlanActions({ rollout }: { rollout: Rollout }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const lost = useLostConnection()
  const [isAsking, setAsking] = useState(false)
  const applying = useWrite(`${admin}/rollouts/apply`, { failed: t('The plan was not applied') })
  const discarding = useWrite(`${admin}/rollouts/discard`, {
    failed: t('The plan was not discarded'),
    done() {
      showToast(t('Plan discarded'))
      navigate(`${base}/rollouts`)
    },
  })
  const count = rollout.plan?.changed ?? 0
  // The results begin without the filter of the plan.
  const apply = () =>
    applying.mutate(
      { id: rollout.id },
      { onSuccess: () => navigate(`${base}/rollouts/${rollout.id}`, { replace: true }) },
    )
  const label =
    rollout.kind === 'revert'
      ? counted(count, { one: 'Take back in {count} project', other: 'Take back in {count} projects' })
      : rollout.kind === 'reset'
        ? counted(count, { one: 'Reset in {count} project', other: 'Reset in {count} projects' })
        : rollout.kind === 'removal'
          ? counted(count, { one: 'Delete from {count} project', other: 'Delete from {count} projects' })
          : counted(count, { one: 'Roll out to {count} project', other: 'Roll out to {count} projects' })
  return (
    <>
      <Button
        icon={<Trash2 />}
        refusal={lost}
        isBusy={discarding.isPending}
        onClick={() => discarding.mutate({ id: rollout.id })}
      >
        {t('Discard plan')}
      </Button>
      {rollout.status === 'expired' ? (
        <Link href={`${base}/rollouts/new?template=${rollout.board_id}`} className="button button-primary">
          {t('Plan again')}
        </Link>
      ) : (
        rollout.status === 'planned' && (
          <Button
            look="primary"
            icon={<Send />}
            isBusy={applying.isPending}
            refusal={lost ?? (count === 0 ? t('No project would change.') : undefined)}
            onClick={() => (count > manyProjects ? setAsking(true) : apply())}
          >
            {label}
          </Button>
        )
      )}
      {isAsking && (
        <Confirm
          title={label}
          action={label}
          typed={count}
          isDanger={rollout.kind === 'removal'}
          onClose={() => setAsking(false)}
          onConfirm={apply}
        >
          <p>{t('Every project receives exactly what the plan says, unless it has changed since.')}</p>
        </Confirm>
      )}
    </>
  )
}
