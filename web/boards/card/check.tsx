import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { personName } from '../../ui/person-name.ts'
import { Ago } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import type { Card } from '../types.ts'
import './check.css'

/** How the checks of theme campaigns begin, which mean nothing to people. */
const themeCheck = 'theme:left:'

interface Props {
  card: Card
  /** What the last report said. */
  detail: string | null
  people: readonly { id: number; name: string }[]
}

/** The check of a card: its result, when and by whom it was reported. */
export function Check({ card, detail, people }: Props) {
  const { evaluation_check, evaluation_passed, evaluated_at, evaluated_by, needs_confirmation, status } = card
  if (evaluation_check === null) return null
  const reporter =
    evaluated_by === null
      ? 'Cardinal'
      : personName(people.find(({ id }) => id === evaluated_by)?.name ?? t('someone'))
  return (
    <section className="check" aria-label={t('Check')} data-passed={evaluation_passed ?? 'unknown'}>
      <p className="check-result">
        {signs[String(evaluation_passed) as keyof typeof signs]}
        <span>
          <strong>{words[String(evaluation_passed) as keyof typeof words]}</strong>{' '}
          {evaluation_check.startsWith(themeCheck) ? (
            t('It passes when you switch to another theme version')
          ) : (
            <code>{evaluation_check}</code>
          )}
          {evaluated_at !== null && (
            <span className="check-reported">
              {' · '}
              {rich('Reported by {name} {ago}', {
                name: <bdi>{reporter}</bdi>,
                ago: <Ago at={evaluated_at} />,
              })}
            </span>
          )}
        </span>
      </p>
      {detail !== null && (
        <p className="check-detail" dir="auto">
          {detail}
        </p>
      )}
      {needs_confirmation && status === 'to_check' && evaluation_passed && (
        <p className="check-detail">{t('Set the status to Done once you have confirmed it.')}</p>
      )}
    </section>
  )
}

const words = { true: t('Check passed'), false: t('Check failed'), null: t('Not checked yet') }
const signs = {
  true: <CircleCheck aria-hidden="true" />,
  false: <CircleX aria-hidden="true" />,
  null: <CircleDashed aria-hidden="true" />,
}
