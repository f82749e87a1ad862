import { CircleDot, CirclePause } from 'lucide-react'
import { Choose } from '../../ui/choose.tsx'

interface Props {
  isActive: boolean
  refusal: string | undefined
  onChoose(isActive: boolean): void
}

/** Inactive templates and cards are not rolled out; existing copies stay. */
export const ActiveField = ({ isActive, refusal, onChoose }: Props) => (
  <Choose
    name="State"
    refusal={refusal}
    shown={
      <>
        {isActive ? <CircleDot aria-hidden="true" /> : <CirclePause aria-hidden="true" />}
        {isActive ? 'Active' : 'Inactive'}
      </>
    }
    chosen={isActive ? 'active' : 'inactive'}
    choices={[
      { id: 'active', label: 'Active', icon: <CircleDot /> },
      { id: 'inactive', label: 'Inactive: not rolled out', icon: <CirclePause /> },
    ]}
    onChoose={(chosen) => onChoose(chosen === 'active')}
  />
)
