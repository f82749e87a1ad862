import { Link, useParams, useSearchParams } from 'wouter'
import { useAskAgain } from '../../data/ask-again.ts'
import { admin, type Output } from '../../data/client.ts'
import { OpeningPage } from '../../data/opening-page.tsx'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { hidden } from '../../words/hidden.tsx'
import { formatNumber } from '../../words/locale.ts'
import { t } from '../../words/words.ts'
import { FiguresAge } from '../figures-age.tsx'
import {
  type CustomizedCard,
  type Customized as CustomizedField,
  CustomizedIn,
  customizedNames,
} from './customized-in.tsx'
import './customized.css'

const path = `${admin}/customized/get` as const

type Customized = Output<typeof path>['customized']

const isField = (text: string | null): text is CustomizedField => text !== null && text in customizedNames

/** What projects have customized of a template; the address can name a field of a card, which shows where. */
export default function CustomizedPage() {
  const { base } = useProject()
  const { template } = useParams<{ template: string }>()
  const input = { board_id: Number(template) }
  const query = useRead(path, input, { refetchOnMount: 'always' })
  useAskAgain(path, 15_000, input)
  return (
    <OpeningPage
      query={query}
      title={t('Customized')}
      failed={t('The customized cards could not be loaded')}
      instead={<ButtonLink href={`${base}/templates`}>{t('Go to templates')}</ButtonLink>}
    >
      {({ customized }) => <OpenCustomized customized={customized} />}
    </OpeningPage>
  )
}

function OpenCustomized({ customized }: { customized: Customized }) {
  const { base } = useProject()
  const { board_id: boardId, title, cards } = customized
  const [search] = useSearchParams()
  const card = cards.find(({ id }) => String(id) === search.get('card'))
  const field = search.get('field')
  return (
    <Page
      title={`${title} · ${t('Customized')}`}
      heading={<span dir="auto">{title}</span>}
      actions={<ButtonLink href={`${base}/templates/${boardId}`}>{t('Go to template')}</ButtonLink>}
    >
      {card && isField(field) ? (
        <CustomizedIn key={`${card.id} ${field}`} boardId={boardId} card={card} field={field} />
      ) : cards.length === 0 ? (
        <Empty title={t('Nothing is customized')}>
          {t('All projects use the cards of this template as they received them.')}
        </Empty>
      ) : (
        <>
          <FiguresAge />
          <p className="customized-about">
            {t(
              'A customized field keeps the value of its project when the template is rolled out. A project counts once for each card, however many of its fields it customized.',
            )}
          </p>
          <CardTable boardId={boardId} cards={cards} />
        </>
      )}
    </Page>
  )
}

function CardTable({ boardId, cards }: { boardId: number; cards: readonly CustomizedCard[] }) {
  const { base } = useProject()
  return (
    <table className="customized">
      <caption className="visually-hidden">{t('Customized cards')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Card')}</th>
          <th scope="col">{t('Customized fields')}</th>
          <th scope="col" className="customized-number">
            {t('Projects')}
          </th>
        </tr>
      </thead>
      <tbody>
        {cards.map(({ id, title, group_title, projects_count, fields }) => (
          <tr key={id}>
            <th scope="row">
              <Link href={`${base}/templates/${boardId}/cards/${id}`} dir="auto">
                {title}
              </Link>
              <p dir="auto">{group_title}</p>
            </th>
            <td>
              <ul className="customized-fields">
                {fields.map(({ field, projects_count: count }) => (
                  <li key={field}>
                    <Link
                      href={`?${new URLSearchParams({ card: String(id), field })}`}
                      className="customized-field"
                    >
                      {customizedNames[field]} <span className="numbers">{formatNumber(count)}</span>
                      {hidden(` · ${title}`)}
                    </Link>
                  </li>
                ))}
              </ul>
            </td>
            <td className="customized-number numbers">{formatNumber(projects_count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
