import { useLocation, useParams } from 'wouter'
import { admin, type Output } from '../../../data/client.ts'
import { useProject } from '../../../data/project.tsx'
import { together, useRead } from '../../../data/read.ts'
import { Reading } from '../../../data/reading.tsx'
import { useWrite } from '../../../data/write.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Page } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { rich } from '../../../words/rich.tsx'
import { t } from '../../../words/words.ts'
import { CourseForm } from './course-form.tsx'

/** Chooses how a card is deleted from its template and all projects, and plans it. */
export default function DeletionPage() {
  const { base } = useProject()
  const { template, card: cardId } = useParams<{ template: string; card: string }>()
  const query = together(
    useRead(`${admin}/master-boards/get`, { id: Number(template) }),
    useRead(`${admin}/audiences/list`, undefined, { refetchOnMount: 'always' }),
  )
  return (
    <Page title={t('Plan deletion')} width="form">
      <Reading query={query} failed={t('The template could not be opened')}>
        {([{ board }, { audiences }]) => {
          const cards = board.groups.flatMap((group) => group.cards)
          const card = cards.find(({ id }) => id === Number(cardId))
          return card ? (
            <DeletionForm board={board} card={card} audiences={audiences} />
          ) : (
            <Empty
              title={t("This card isn't in the template")}
              action={
                <ButtonLink href={`${base}/templates/${board.id}`}>{t('Go to the template')}</ButtonLink>
              }
            />
          )
        }}
      </Reading>
    </Page>
  )
}

interface Props {
  board: { id: number; platform_id: number; tool_key: string | null }
  card: { id: number; title: string }
  audiences: Output<`${typeof admin}/audiences/list`>['audiences']
}

function DeletionForm({ board, card, audiences }: Props) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const planning = useWrite(`${admin}/rollouts/plan`, {
    failed: t('The deletion was not planned'),
    done: (_input, { rollout }) => navigate(`${base}/rollouts/${rollout.id}`),
  })
  return (
    <CourseForm
      about={rich(
        'It deletes “{title}” from the template and from every project that has it, with its comments. A project can restore its copy from the trash for 30 days; if you restore the card in the template, the next rollout brings it back. Nothing changes until you apply the plan.',
        { title: <span dir="auto">{card.title}</span> },
      )}
      label={t('Plan deletion')}
      audiences={audiences}
      candidates={{ filter: { platform_id: board.platform_id, tool_key: board.tool_key } }}
      onSubmit={(course) =>
        planning.mutateAsync({ board_id: board.id, card_id: card.id, delete_from_projects: true, ...course })
      }
    />
  )
}
