import { admin } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { FieldSelect } from '../../ui/field.tsx'
import { counted, t } from '../../words/words.ts'
import { type Choice, useChoices } from './choices.ts'
import { filterIn } from './filter.ts'

interface Props {
  /** The text of a parameter of the address. */
  given(parameter: string): string
  change(values: Record<string, string>): void
}

/** The fields of a filter of projects without its search, the usual ones first. */
export function FilterFields({ given, change }: Props) {
  const choices = useChoices()
  const select = (name: string, label: string, options: readonly Choice[]) => (
    <Select
      label={label}
      value={given(name)}
      options={options}
      onChange={(value) => change({ [name]: value })}
    />
  )
  const days = (count: number) => ({
    value: String(count),
    label: counted(count, { one: 'In the last {count} day', other: 'In the last {count} days' }),
  })
  const quiet = (count: number) => ({
    value: `-${count}`,
    label: counted(count, { one: 'None for {count} day', other: 'None for {count} days' }),
  })
  const within = (count: number) => ({
    value: String(count),
    label: counted(count, { one: 'Within {count} day', other: 'Within {count} days' }),
  })
  const isQuiet = (value: string) => value.startsWith('-')
  const { project_ids: picked } = filterIn(given)
  return (
    <>
      {select('product', t('Product'), choices.products)}
      {select('status', t('Subscription'), choices.statuses)}
      {select('label', t('Label'), choices.labels)}
      <Select
        label={t('Activity', { as: 'filter' })}
        value={given('active') === '' ? given('quiet') && `-${given('quiet')}` : given('active')}
        options={[days(7), days(30), quiet(14), quiet(90)]}
        nameOf={(value) => (isQuiet(value) ? quiet(Number(value.slice(1))) : days(Number(value))).label}
        onChange={(value) =>
          change({ active: isQuiet(value) ? '' : value, quiet: isQuiet(value) ? value.slice(1) : '' })
        }
      />
      <Select
        label={t('Template')}
        value={given('template')}
        options={choices.templates}
        onChange={(value) => change({ template: value, state: '', version: '' })}
      />
      {given('template') !== '' && <TemplateVersion given={given} change={change} />}
      {select('open', t('Template cards'), [
        { value: 'true', label: t('Some are open') },
        { value: 'false', label: t('None is open') },
      ])}
      {select('plan', t('Plan'), choices.plans)}
      <Select
        label={t('Trial ends')}
        value={given('trial')}
        options={[within(7), within(30)]}
        nameOf={(value) => within(Number(value)).label}
        onChange={(value) => change({ trial: value })}
      />
      {select('theme', t('Theme'), choices.themes)}
      <Select
        label={t('Created')}
        value={given('created')}
        options={[days(7), days(30), { value: '365', label: t('In the last year') }]}
        nameOf={(value) => days(Number(value)).label}
        onChange={(value) => change({ created: value })}
      />
      {picked && (
        <Select
          label={t('Projects')}
          value={given('projects')}
          options={[
            {
              value: given('projects'),
              label: counted(picked.length, {
                one: '{count} selected project',
                other: '{count} selected projects',
              }),
            },
          ]}
          onChange={(value) => change({ projects: value })}
        />
      )}
    </>
  )
}

/** True for states in which the version does not matter. */
const isOfAnyVersion = (state: string) => state === 'present' || state === 'missing'

/** Which version of the template, and whether projects have it. */
function TemplateVersion({ given, change }: Props) {
  const template = given('template')
  const { data } = useRead(`${admin}/master-boards/versions/list`, { board_id: Number(template), limit: 200 })
  return (
    <>
      <FieldSelect
        label={t('Projects that')}
        value={given('state')}
        onChange={({ target: { value } }) =>
          change({ state: value, ...(isOfAnyVersion(value) && { version: '' }) })
        }
      >
        <option value="">{t('have the version')}</option>
        <option value="present">{t('have any version')}</option>
        <option value="older">{t('have an older version')}</option>
        <option value="missing">{t("don't have the template")}</option>
        <option value="behind">{t("don't have the version yet")}</option>
      </FieldSelect>
      {!isOfAnyVersion(given('state')) && (
        <FieldSelect
          label={t('Version')}
          value={given('version')}
          onChange={(event) => change({ version: event.target.value })}
        >
          <option value="">{t('Newest')}</option>
          {data?.versions.map(({ number }) => (
            <option key={number} value={number}>
              {t('Version {version}', { version: number })}
            </option>
          ))}
        </FieldSelect>
      )}
    </>
  )
}

interface SelectProps {
  label: string
  value: string
  options: readonly Choice[]
  /** The name of a value that is not among the options. */
  nameOf?(value: string): string
  onChange(value: string): void
}

function Select({ label, value: chosen, options, nameOf = String, onChange }: SelectProps) {
  // A value of the address stays chosen, even if nothing has it any more.
  const shown =
    chosen === '' || options.some(({ value }) => value === chosen)
      ? options
      : [...options, { value: chosen, label: nameOf(chosen) }]
  return (
    <FieldSelect label={label} value={chosen} onChange={(event) => onChange(event.target.value)}>
      <option value="">{t('Any')}</option>
      {shown.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </FieldSelect>
  )
}
