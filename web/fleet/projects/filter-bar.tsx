import { X } from 'lucide-react'
import { useRef } from 'react'
import { offersIn } from '../../billing/offers.ts'
import { admin, platforms, themes } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { t } from '../../words/words.ts'
import { statusNames } from '../subscription-state.tsx'
import type { Filters } from './filters.ts'

interface Choice {
  value: string
  label: string
}

/** Search and filters of the list; what is chosen is in the address. */
export function FilterBar({ filters }: { filters: Filters }) {
  const { given, change, clear, isFiltered } = filters
  const search = useRef<HTMLInputElement>(null)
  useShortcut('/', () => search.current?.focus())
  const choices = useChoices()
  const select = (name: string, label: string, options: readonly Choice[]) => {
    const chosen = given(name)
    // A value of the address stays chosen, even if nothing has it any more.
    const shown =
      chosen === '' || options.some(({ value }) => value === chosen)
        ? options
        : [...options, { value: chosen, label: chosen }]
    return (
      <FieldSelect label={label} value={chosen} onChange={(event) => change({ [name]: event.target.value })}>
        <option value="">{t('Any')}</option>
        {shown.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </FieldSelect>
    )
  }
  return (
    <search className="fleet-filters" aria-label={t('Filter projects')}>
      <Field
        ref={search}
        label={t('Search')}
        type="search"
        placeholder={t("Name, id, label or member's email")}
        maxLength={255}
        value={given('q')}
        onChange={(event) => change({ q: event.target.value })}
      />
      {select('product', t('Product'), choices.products)}
      {select('plan', t('Plan'), choices.plans)}
      {select('status', t('Subscription'), choices.statuses)}
      {select('label', t('Label'), choices.labels)}
      {select('theme', t('Theme'), choices.themes)}
      <FieldSelect
        label={t('Activity')}
        value={given('active') === '' ? given('quiet') && `-${given('quiet')}` : given('active')}
        onChange={({ target: { value } }) =>
          change({
            active: value.startsWith('-') ? '' : value,
            quiet: value.startsWith('-') ? value.slice(1) : '',
          })
        }
      >
        <option value="">{t('Any')}</option>
        <option value="7">{t('In the last 7 days')}</option>
        <option value="30">{t('In the last 30 days')}</option>
        <option value="-14">{t('None for 14 days')}</option>
        <option value="-90">{t('None for 90 days')}</option>
      </FieldSelect>
      {select('created', t('Created'), [
        { value: '7', label: t('In the last 7 days') },
        { value: '30', label: t('In the last 30 days') },
        { value: '365', label: t('In the last year') },
      ])}
      {select('deleted', t('Deleted'), [{ value: 'yes', label: t('Deleted projects') }])}
      {isFiltered && (
        <Button look="quiet" icon={<X />} className="fleet-clear" onClick={clear}>
          {t('Clear filters')}
        </Button>
      )}
    </search>
  )
}

function useChoices() {
  const { data: catalogue } = useRead(`${platforms}/plans/list`)
  const { data: labels } = useRead(`${admin}/labels/list`)
  const { data: versions } = useRead(`${themes}/versions/list`, { limit: 200 })
  const offers = offersIn(catalogue?.plans ?? [])
  const plans = new Map(catalogue?.plans.map(({ plan, plan_name }) => [plan, plan_name]))
  return {
    products: offers.map(({ product, name }) => ({ value: product, label: name })),
    plans: [...plans].map(([value, label]) => ({ value, label })),
    statuses: Object.entries(statusNames).map(([value, label]) => ({ value, label })),
    labels: (labels?.labels ?? []).map(({ label }) => ({ value: label, label })),
    themes: (versions?.versions ?? [])
      .filter(({ theme_status: status }) => status !== 'draft')
      .map(({ version_id, theme_name, version }) => ({
        value: String(version_id),
        label: `${theme_name} ${version}`,
      })),
  }
}
