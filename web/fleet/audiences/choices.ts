import { offersIn } from '../../billing/offers.ts'
import { admin, platforms, themes } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { statusNames } from '../subscription-state.tsx'

export interface Choice {
  value: string
  label: string
}

/** What projects can be filtered by, with the names that people know. */
export function useChoices() {
  const { data: catalogue } = useRead(`${platforms}/plans/list`)
  const { data: labels } = useRead(`${admin}/labels/list`)
  const { data: versions } = useRead(`${themes}/versions/list`, { limit: 200 })
  const { data: templates } = useRead(`${admin}/master-boards/list`)
  const plans = new Map(catalogue?.plans.map(({ plan, plan_name }) => [plan, plan_name]))
  return {
    products: offersIn(catalogue?.plans ?? []).map(({ product, name }) => ({ value: product, label: name })),
    plans: [...plans].map(([value, label]) => ({ value, label })),
    statuses: Object.entries(statusNames).map(([value, label]) => ({ value, label })),
    labels: (labels?.labels ?? []).map(({ label }) => ({ value: label, label })),
    themes: (versions?.versions ?? [])
      .filter(({ theme_status: status }) => status !== 'draft')
      .map(({ version_id, theme_name, version }) => ({
        value: String(version_id),
        label: `${theme_name} ${version}`,
      })),
    templates: (templates?.boards ?? []).map(({ id, title }) => ({ value: String(id), label: title })),
  }
}

export type Choices = ReturnType<typeof useChoices>
