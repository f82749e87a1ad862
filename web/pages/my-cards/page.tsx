import { CardRows, type FoundCard } from '../../card/card-row.tsx'
import { useFoundCards } from '../../card/found-cards.tsx'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading, SkeletonRows } from '../../ui/states.tsx'
import './page.css'

const dayMilliseconds = 86_400_000

const sections = ['Overdue', 'Today', 'Next 7 days', 'Later', 'No due date'] as const

export default function MyCardsPage() {
  const { cards, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useFoundCards({
    is_mine: true,
    is_open: true,
    limit: 200,
  })
  return (
    <Page title="My cards">
      {error && !cards && (
        <Failed what="Your cards could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!cards && !error && (
        <Loading>
          <SkeletonRows />
        </Loading>
      )}
      {cards?.length === 0 && (
        <Empty title="Nothing waits for you">
          Open cards that you own are listed here, the most urgent first.
        </Empty>
      )}
      {cards &&
        sections.map((section) => {
          const held = cards.filter((card) => sectionOf(card) === section).sort(byDue)
          return (
            held.length > 0 && (
              <section key={section} className="my-cards-section">
                <h2 data-overdue={section === 'Overdue'}>
                  {section} <span className="numbers">{held.length}</span>
                </h2>
                <CardRows cards={held} label={section} />
              </section>
            )
          )
        })}
      {hasNextPage && (
        <Button look="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Page>
  )
}

function sectionOf(card: FoundCard): (typeof sections)[number] {
  if (card.due_date === null) return 'No due date'
  if (card.is_overdue) return 'Overdue'
  const now = new Date()
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime()
  const days = (new Date(card.due_date).getTime() - today) / dayMilliseconds
  return days < 1 ? 'Today' : days < 8 ? 'Next 7 days' : 'Later'
}

const byDue = (a: FoundCard, b: FoundCard) => (a.due_date ?? '').localeCompare(b.due_date ?? '')
