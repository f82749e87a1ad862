import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { admin } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { useSentOnce } from './sent-once.ts'
import type { PlanRequest, Rollout } from './types.ts'

/** Above this number of projects, applying asks for confirmation. */
const manyProjects = 10

interface Props {
  rollout: Rollout
  request: PlanRequest
}

/** Applies or discards a plan, or plans the same again if it has expired. */
export function PlanActions({ rollout, request }: Props) {
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
  const isOfTemplate = request?.delete_from_projects === true
  // The results begin without the filter of the plan.
  const apply = () =>
    applying.mutate(
      { id: rollout.id },
      { onSuccess: () => navigate(`${base}/rollouts/${rollout.id}`, { replace: true }) },
    )
  const label =
    rollout.kind === 'revert'
      ? counted(count, { one: 'Revert in {count} project', other: 'Revert in {count} projects' })
      : rollout.kind === 'reset'
        ? counted(count, { one: 'Reset in {count} project', other: 'Reset in {count} projects' })
        : rollout.kind === 'removal'
          ? count === 0 && isOfTemplate
            ? t('Delete from the template')
            : counted(count, { one: 'Delete from {count} project', other: 'Delete from {count} projects' })
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
      {rollout.status === 'expired'
        ? request && <PlanAgain rollout={rollout} request={request} />
        : rollout.status === 'planned' && (
            <Button
              look="primary"
              isBusy={applying.isPending}
              refusal={lost ?? (count === 0 && !isOfTemplate ? t('No project would change.') : undefined)}
              onClick={() => (count > manyProjects ? setAsking(true) : apply())}
            >
              {label}
            </Button>
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
          {rollout.kind === 'removal' && <p>{deletionInWords(rollout.title, count, isOfTemplate)}</p>}
          {rollout.stages[1] && <p>{firstStageInWords(rollout)}</p>}
          <p>{t('Every project receives exactly what the plan says, unless it has changed since.')}</p>
        </Confirm>
      )}
    </>
  )
}

function firstStageInWords({ stages: [first] }: Rollout): string {
  return counted(first?.changed ?? first?.projects ?? 0, {
    one: 'Stage 1 changes {count} project. The stages after it follow as planned.',
    other: 'Stage 1 changes {count} projects. The stages after it follow as planned.',
  })
}

const deletionInWords = (title: string, count: number, isOfTemplate: boolean): string =>
  isOfTemplate
    ? counted(
        count,
        {
          one: 'It deletes “{title}” with its comments from the template and from {count} project.',
          other: 'It deletes “{title}” with its comments from the template and from {count} projects.',
        },
        { title },
      )
    : counted(
        count,
        {
          one: 'It deletes “{title}” with its comments from {count} project.',
          other: 'It deletes “{title}” with its comments from {count} projects.',
        },
        { title },
      )

function PlanAgain({ rollout, request }: { rollout: Rollout; request: NonNullable<PlanRequest> }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const refusal = useLostConnection()
  const done = (_input: unknown, { rollout: plan }: { rollout: Rollout }) =>
    navigate(`${base}/rollouts/${plan.id}`)
  const planning = useWrite(`${admin}/rollouts/plan`, { failed: t('The rollout was not planned'), done })
  const reverting = useWrite(`${admin}/rollouts/revert`, { failed: t('The revert was not planned'), done })
  const { kind, board_id, card_id, version, reverts_id } = rollout
  const isOfNewest = kind === 'reset' || request.delete_from_projects === true
  const plan = () =>
    reverts_id === null
      ? planning.mutateAsync({ ...request, board_id, card_id, version: isOfNewest ? null : version })
      : reverting.mutateAsync({ ...request, id: reverts_id })
  const { isSent, send } = useSentOnce(plan)
  return (
    <Button look="primary" refusal={refusal} isBusy={isSent} onClick={() => send()}>
      {t('Plan again')}
    </Button>
  )
}
