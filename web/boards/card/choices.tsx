import { priorities } from '#boards/card/priorities.ts'
import { Choose } from '../../ui/choose.tsx'
import { t } from '../../words/words.ts'
import { knownStatuses, PrioritySign, priorityNames, StatusSign, statusName } from '../signs.tsx'
import type { Priority } from '../types.ts'

interface StatusProps {
  status: string
  refusal: string | undefined
  onChoose(status: string): void
}

export const StatusField = ({ status, refusal, onChoose }: StatusProps) => (
  <Choose
    name={t('Status')}
    refusal={refusal}
    shown={
      <>
        <StatusSign status={status} /> {statusName(status)}
      </>
    }
    chosen={status}
    choices={[...new Set([...knownStatuses, status])].map((one) => ({
      id: one,
      label: statusName(one),
      icon: <StatusSign status={one} />,
    }))}
    onChoose={onChoose}
  />
)

interface PriorityProps {
  priority: Priority
  refusal: string | undefined
  onChoose(priority: Priority): void
}

export const PriorityField = ({ priority, refusal, onChoose }: PriorityProps) => (
  <Choose
    name={t('Priority')}
    refusal={refusal}
    shown={
      <>
        <PrioritySign priority={priority} isNamed={false} /> {priorityNames[priority]}
      </>
    }
    chosen={priority}
    choices={priorities.toReversed().map((one) => ({
      id: one,
      label: priorityNames[one],
      icon: <PrioritySign priority={one} isNamed={false} />,
    }))}
    onChoose={onChoose}
  />
)
