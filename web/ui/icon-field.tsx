import { Shapes } from 'lucide-react'
import { icons } from '#text/icons.ts'
import { IconButton } from './button.tsx'
import { Absent, Choose } from './choose.tsx'
import { type Choice, Picker } from './picker.tsx'
import { Sign } from './sign.tsx'

const noIcon = ''

const word = (icon: string) => icon.charAt(0).toUpperCase() + icon.slice(1).replaceAll('-', ' ')

/** The icons that are drawn, and the present one if it is another. */
const choicesOf = (icon: string | null): readonly Choice<string>[] => [
  { id: noIcon, label: 'None' },
  ...[...new Set(icon === null ? icons : [...icons, icon])].map((name) => ({
    id: name,
    label: word(name),
    icon: <Sign icon={name} color={null} />,
  })),
]

interface Props {
  icon: string | null
  color: string | null
  refusal: string | undefined
  onChoose(icon: string | null): void
}

/** The icon of a thing in its list of fields. */
export const IconField = ({ icon, color, refusal, onChoose }: Props) => (
  <Choose
    name="Icon"
    refusal={refusal}
    shown={
      icon === null ? (
        <Absent icon={<Shapes />}>None</Absent>
      ) : (
        <>
          <Sign icon={icon} color={color} /> {word(icon)}
        </>
      )
    }
    chosen={icon ?? noIcon}
    choices={choicesOf(icon)}
    onChoose={(chosen) => onChoose(chosen === noIcon ? null : chosen)}
  />
)

/** The same as a sign only, with a label. */
export const IconPicker = ({ label, icon, color, refusal, onChoose }: Props & { label: string }) => (
  <Picker
    label={label}
    choices={choicesOf(icon)}
    chosen={[icon ?? noIcon]}
    onChoose={(chosen) => onChoose(chosen === noIcon ? null : chosen)}
    trigger={(props) => (
      <IconButton
        {...props}
        label={`${label}: ${icon === null ? 'none' : word(icon).toLowerCase()}`}
        refusal={refusal}
        icon={icon === null ? <Shapes className="sign-none" /> : <Sign icon={icon} color={color} />}
      />
    )}
  />
)
