import { keepPreviousData } from '@tanstack/react-query'
import { admin } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { counted, t } from '../words/words.ts'
import './templates-preview.css'

interface Props {
  products: readonly string[]
  platform: number | null
  /** The project that would gain the products; a new one if it is left out. */
  projectId?: number
  /** What is said if there are none. */
  none: string
}

/** The templates that a project receives with these products. */
export function TemplatesPreview({ products, platform, projectId, none }: Props) {
  const input = { tool_keys: [...products], platform_id: platform, project_id: projectId ?? null }
  const { data } = useRead(`${admin}/projects/preview`, input, { placeholderData: keepPreviousData })
  const templates = data?.templates ?? []
  return (
    <section className="fleet-preview" aria-label={t('Templates it will receive')} aria-live="polite">
      <h3>{t('Templates it will receive')}</h3>
      {data && templates.length === 0 && <p>{none}</p>}
      <ul>
        {templates.map(({ id, title, cards_count: count, is_update: isUpdate }) => (
          <li key={id}>
            <bdi>{title}</bdi>{' '}
            <span className="numbers">
              {isUpdate
                ? t('It has an older version')
                : counted(count, { one: '{count} card', other: '{count} cards' })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
