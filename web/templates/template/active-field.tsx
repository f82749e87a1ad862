import { CircleDot, CirclePause } from 'lucide-react'
import { Choose } from '../../ui/choose.tsx'
import { t } from '../../words/words.ts'

interface Props {
  isActive: boolean
  refusal: string | undefined
  onChoose(isActive: boolean): void
}

/** Inactive templates and cards are not rolled out; existing copies stay. */
export const ActiveField = ({ isActive, refusal, onChoose }: Props) => (
  <Choose
    name={t('State')}
    refusal={refusal}
    shown={
      <>
        {isActive ? <CircleDot aria-hidden="true" /> : <CirclePause aria-hidden="true" />}
        {isActive ? t('Active') : t('Inactive')}
      </>
    }
    chosen={isActive ? 'active' : 'inactive'}
    choices={[
      { id: 'active', label: t('Active'), icon: <CircleDot /> },
      { id: 'inactive', label: t('Inactive: not rolled out'), icon: <CirclePause /> },
    ]}
    onChoose={(chosen) => onChoose(chosen === 'active')}
  />
)
