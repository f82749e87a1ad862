import { CircleCheck, UserCheck } from 'lucide-react'
import type { Card } from '../../boards/types.ts'
import { Choose } from '../../ui/choose.tsx'
import { t } from '../../words/words.ts'
import type { MasterCard } from '../types.ts'

interface Props {
  card: Card
  refusal: string | undefined
  onChoose(needsConfirmation: boolean): void
}

/** What a passed check does to the copies of a template card, and in how many projects it passes. */
export function CheckFields({ card, refusal, onChoose }: Props) {
  if (card.evaluation_check === null) return null
  return (
    <>
      <Choose
        name={t('When it passes')}
        refusal={refusal}
        shown={
          <>
            {card.needs_confirmation ? <UserCheck aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
            {card.needs_confirmation ? t('A person confirms') : t('The card is done')}
          </>
        }
        chosen={card.needs_confirmation ? 'confirm' : 'done'}
        choices={[
          { id: 'done', label: t('The card is done'), icon: <CircleCheck /> },
          { id: 'confirm', label: t('A person confirms'), icon: <UserCheck /> },
        ]}
        onChoose={(chosen) => onChoose(chosen === 'confirm')}
      />
      <div>
        <dt>{t('Results')}</dt>
        <dd>
          <span className="field-value field-still numbers">{resultsOf(card).words}</span>
        </dd>
      </div>
    </>
  )
}

/** In how many projects a check passes and fails; the others have not reported it. */
export function resultsOf(card: Card) {
  // A card that is being created has no counts yet.
  const { passed_count: passed = 0, failed_count: failed = 0 } = card as Partial<MasterCard>
  const isReported = passed + failed > 0
  const words = isReported ? t('{passed} passed, {failed} failed', { passed, failed }) : t('Not reported yet')
  return { passed, failed, isReported, words }
}
