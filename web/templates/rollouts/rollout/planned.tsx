import { TriangleAlert } from 'lucide-react'
import { customizedOf } from '../../../fleet/received.ts'
import { dateName } from '../../../ui/time.tsx'
import { formatNumber } from '../../../words/locale.ts'
import { counted, t } from '../../../words/words.ts'
import { OutcomeBar } from '../rollout-bar.tsx'
import type { Rollout } from '../types.ts'
import { outcomeName } from '../words.ts'
import { CourseFigures } from './course.tsx'
import { PlannedCards } from './planned-cards.tsx'
import { PlannedProjects } from './planned-projects.tsx'
import { StageList } from './stage-list.tsx'
import './planned.css'

export type Plan = NonNullable<Rollout['plan']>

/** What a rollout would do in each project, before it begins. */
export function Planned({ rollout }: { rollout: Rollout }) {
  const { plan } = rollout
  if (plan === null) return <Planning rollout={rollout} />
  return (
    <>
      <PlanSummary rollout={rollout} plan={plan} />
      <StageList rollout={rollout} />
      <PlannedCards rollout={rollout} />
      <PlannedProjects rollout={rollout} plan={plan} />
    </>
  )
}

function Planning({ rollout: { planned_count: done, counts } }: { rollout: Rollout }) {
  const words = counted(
    counts.projects,
    { one: 'Planning: {done} of {count} project', other: 'Planning: {done} of {count} projects' },
    { done },
  )
  return (
    <section className="rollout-summary" aria-label={t('Summary')}>
      <p>{words}</p>
      <progress
        className="plan-progress"
        aria-label={words}
        max={Math.max(counts.projects, 1)}
        value={done}
      />
    </section>
  )
}

/** The outcomes of a plan in display order. */
export const planOutcomes = ['changed', 'unchanged', 'failed', 'opted_out', 'no_access'] as const

function PlanSummary({ rollout, plan }: { rollout: Rollout; plan: Plan }) {
  const cards: readonly (readonly [name: string, count: number])[] = [
    [t('Added'), plan.added],
    [t('Updated'), plan.updated],
    [t('Moved'), plan.moved],
    [t('Deleted'), plan.removed],
    [t('Of these in use'), plan.in_use ?? 0],
    [t('Kept as customized'), customizedOf(plan)],
    [t('Kept in use'), plan.used],
    [t('Kept because of a later rollout'), plan.overtaken],
    [t('Skipped'), plan.skipped],
  ]
  return (
    <section className="rollout-summary" aria-label={t('Summary')}>
      <p>{planInWords(rollout, plan.changed)}</p>
      <OutcomeBar
        counts={plan}
        outcomes={planOutcomes}
        label={planOutcomes
          .filter((outcome) => plan[outcome] > 0)
          .map((outcome) =>
            t('{name}: {count}', { name: outcomeName(outcome, rollout), count: plan[outcome] }),
          )
          .join(', ')}
      />
      <dl className="plan-figures">
        {cards
          .filter(([, count]) => count > 0)
          .map(([name, count]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="numbers">{counted(count, { one: '{count} card', other: '{count} cards' })}</dd>
            </div>
          ))}
        <div>
          <dt>{t('Expected time')}</dt>
          <dd className="numbers">
            {withWaits(
              plan.expected_seconds === null
                ? t('Known after the first rollout')
                : duration(plan.expected_seconds),
              rollout.stages,
            )}
          </dd>
        </div>
        {rollout.status === 'planned' && rollout.planned_at !== null && (
          <div>
            <dt>{t('Valid until')}</dt>
            <dd className="numbers">{dateName(dayAfter(rollout.planned_at), true)}</dd>
          </div>
        )}
        <CourseFigures rollout={rollout} />
      </dl>
      {rollout.status === 'expired' && (
        <p className="plan-expired">
          <TriangleAlert aria-hidden="true" />
          {t('This plan is older than a day, so it can no longer be applied. Plan the rollout again.')}
        </p>
      )}
    </section>
  )
}

const dayAfter = (at: string): string => new Date(Date.parse(at) + 86_400_000).toISOString()

function planInWords({ kind, title }: Rollout, count: number): string {
  if (kind === 'removal')
    return counted(
      count,
      {
        one: '“{title}” would be deleted from {count} project',
        other: '“{title}” would be deleted from {count} projects',
      },
      { title },
    )
  if (kind === 'revert')
    return counted(
      count,
      {
        one: '“{title}” would be reverted in {count} project',
        other: '“{title}” would be reverted in {count} projects',
      },
      { title },
    )
  if (kind === 'reset')
    return counted(
      count,
      {
        one: '“{title}” would be reset in {count} project',
        other: '“{title}” would be reset in {count} projects',
      },
      { title },
    )
  return counted(
    count,
    { one: '“{title}” would change {count} project', other: '“{title}” would change {count} projects' },
    { title },
  )
}

/** A time with the waits between stages; after a stage without projects nothing waits. */
function withWaits(time: string, stages: Rollout['stages']): string {
  const waits = stages
    .filter(({ projects }) => projects > 0)
    .slice(0, -1)
    .map((stage) => stage.wait_minutes)
  const minutes = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0)
  const wait = duration(minutes * 60)
  const isByHand = waits.includes(null)
  if (minutes === 0) return isByHand ? t('{time}, plus the time until you start each stage', { time }) : time
  return isByHand
    ? t('{time}, plus {wait} between stages and the time until you start the others', { time, wait })
    : t('{time}, plus {wait} between stages', { time, wait })
}

function duration(seconds: number): string {
  if (seconds < 90) return counted(Math.max(seconds, 1), { one: '{count} second', other: '{count} seconds' })
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return counted(minutes, { one: '{count} minute', other: '{count} minutes' })
  const hours = Math.round(minutes / 6) / 10
  if (hours < 24) return t('{count} hours', { count: formatNumber(hours) })
  return counted(Math.round(hours / 2.4) / 10, { one: '{count} day', other: '{count} days' })
}
