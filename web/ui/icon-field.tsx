import { Shapes } from 'lucide-react'
import { icons } from '#text/icons.ts'
import { locale } from '../words/locale.ts'
import { t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { Absent, Choose } from './choose.tsx'
import { iconLabel, iconName } from './icon-names.ts'
import { type Choice, Picker } from './picker.tsx'
import { Sign } from './sign.tsx'

const noIcon = ''

/** The icons that are drawn, and the present one if it is another. */
const choicesOf = (icon: string | null): readonly Choice<string>[] => [
  { id: noIcon, label: t('None', { as: 'icon' }) },
  ...[...new Set(icon === null ? icons : [...icons, icon])]
    .map((name) => ({ id: name, label: iconLabel(name), icon: <Sign icon={name} color={null} /> }))
    .sort((a, b) => a.label.localeCompare(b.label, locale)),
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
    name={t('Icon')}
    refusal={refusal}
    shown={
      icon === null ? (
        <Absent icon={<Shapes />}>{t('None', { as: 'icon' })}</Absent>
      ) : (
        <>
          <Sign icon={icon} color={color} /> {iconLabel(icon)}
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
        label={`${label}: ${icon === null ? t('none', { as: 'icon' }) : iconName(icon)}`}
        refusal={refusal}
        icon={icon === null ? <Shapes className="sign-none" /> : <Sign icon={icon} color={color} />}
      />
    )}
  />
)
