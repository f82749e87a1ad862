import { Link } from 'wouter'
import { fieldNames } from '../../boards/field-names.ts'
import { FieldValue } from '../../boards/field-value.tsx'
import { admin, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { t } from '../../words/words.ts'
import { StoppedUpdates } from '../stopped-updates.tsx'

const path = `${admin}/projects/list-customized` as const

type Card = Output<typeof path>['cards'][number]

/** The cards that the project changed, with the template's value beside. */
export function Customized({ projectId }: { projectId: number }) {
  const query = usePages(path, { id: projectId, limit: 20 }, { refetchOnMount: 'always' })
  const cards = query.data?.pages.flatMap((page) => page.cards)
  return (
    <>
      <Reading query={{ ...query, data: cards }} failed={t('The customized cards could not be loaded')}>
        {(read) =>
          read.length === 0 ? (
            <p className="fleet-none">{t('None. The project uses its template cards as they are.')}</p>
          ) : (
            <table className="fleet-customized">
              <thead>
                <tr>
                  <th scope="col">{t('Card')}</th>
                  <th scope="col">{t('Field')}</th>
                  <th scope="col">{t('In this project')}</th>
                  <th scope="col">{t('In the template')}</th>
                </tr>
              </thead>
              <tbody>
                {read.map((card) => (
                  <CardRows key={card.id} card={card} />
                ))}
              </tbody>
            </table>
          )
        }
      </Reading>
      <ShowMore query={query} />
    </>
  )
}

function CardRows({ card }: { card: Card }) {
  const { base } = useProject()
  const rows = [
    ...(card.takes_updates
      ? []
      : [
          {
            name: t('Updates'),
            value: <StoppedUpdates stopped={card.updates_stopped} />,
            ofTemplate: '–',
          },
        ]),
    ...card.fields.map(({ field, value, template_value: ofTemplate }) =>
      field === 'place' || field === 'is_active'
        ? {
            name: fieldNames[field][0],
            value: field === 'place' ? t('Moved') : t('Hidden'),
            ofTemplate: '–',
          }
        : {
            name: fieldNames[field][0],
            value: <FieldValue field={field} value={value} />,
            ofTemplate: <FieldValue field={field} value={ofTemplate} />,
          },
    ),
  ]
  return rows.map(({ name, value, ofTemplate }, index) => (
    <tr key={name}>
      {index === 0 && (
        <th scope="rowgroup" rowSpan={rows.length}>
          <Link href={`${base}/templates/${card.master_board_id}/cards/${card.master_card_id}`} dir="auto">
            {card.title}
          </Link>
        </th>
      )}
      <td>{name}</td>
      <td dir="auto">{value}</td>
      <td dir="auto">{ofTemplate}</td>
    </tr>
  ))
}
