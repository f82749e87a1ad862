import { Palette } from 'lucide-react'
import { colors } from '#text/colors.ts'
import { t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { capital } from './capital.ts'
import { Absent, Choose } from './choose.tsx'
import { Dot } from './dot.tsx'
import { type Choice, Picker } from './picker.tsx'

const noColor = ''

const names: Readonly<Record<(typeof colors)[number], string>> = {
  red: t('red'),
  orange: t('orange'),
  amber: t('amber'),
  green: t('green'),
  teal: t('teal'),
  blue: t('blue'),
  violet: t('violet'),
  pink: t('pink'),
}

const byColor = new Map<string, string>(Object.entries(names))

/** The name of a color in a sentence; of any other word that is stored as a color, that word. */
const colorName = (color: string) => byColor.get(color) ?? color

const choices: readonly Choice<string>[] = [
  { id: noColor, label: t('None', { as: 'color' }) },
  ...colors.map((color) => ({ id: color, label: capital(colorName(color)), icon: <Dot color={color} /> })),
]

interface Props {
  color: string | null
  refusal: string | undefined
  onChoose(color: string | null): void
}

/** The color of a thing in its list of fields. */
export const ColorField = ({ color, refusal, onChoose }: Props) => (
  <Choose
    name={t('Color')}
    refusal={refusal}
    shown={
      color === null ? (
        <Absent icon={<Palette />}>{t('None', { as: 'color' })}</Absent>
      ) : (
        <>
          <Dot color={color} /> {capital(colorName(color))}
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
        label={`${label}: ${color === null ? t('none', { as: 'color' }) : colorName(color)}`}
        refusal={refusal}
        icon={<Dot color={color} />}
      />
    )}
  />
)
