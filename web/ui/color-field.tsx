import { Palette } from 'lucide-react'
import { colors } from '#text/colors.ts'
import { IconButton } from './button.tsx'
import { Absent, Choose } from './choose.tsx'
import { Dot } from './dot.tsx'
import { type Choice, Picker } from './picker.tsx'

const noColor = ''

const word = (color: string) => color.charAt(0).toUpperCase() + color.slice(1)

const choices: readonly Choice<string>[] = [
  { id: noColor, label: 'None' },
  ...colors.map((color) => ({ id: color, label: word(color), icon: <Dot color={color} /> })),
]

interface Props {
  color: string | null
  refusal: string | undefined
  onChoose(color: string | null): void
}

/** The color of a thing in its list of fields. */
export const ColorField = ({ color, refusal, onChoose }: Props) => (
  <Choose
    name="Color"
    refusal={refusal}
    shown={
      color === null ? (
        <Absent icon={<Palette />}>None</Absent>
      ) : (
        <>
          <Dot color={color} /> {word(color)}
        </>
      )
    }
    chosen={color ?? noColor}
    choices={choices}
    onChoose={(chosen) => onChoose(chosen === noColor ? null : chosen)}
  />
)

/** The same as a dot only, with a label. */
export const ColorButton = ({ label, color, refusal, onChoose }: Props & { label: string }) => (
  <Picker
    label={label}
    choices={choices}
    chosen={[color ?? noColor]}
    onChoose={(chosen) => onChoose(chosen === noColor ? null : chosen)}
    trigger={(props) => (
      <IconButton
        {...props}
        label={`${label}: ${color === null ? 'none' : color}`}
        refusal={refusal}
        icon={<Dot color={color} />}
      />
    )}
  />
)
