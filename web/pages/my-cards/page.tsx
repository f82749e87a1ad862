import { CardRows, type FoundCard } from '../../card/card-row.tsx'
import { useFoundCards } from '../../card/found-cards.tsx'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty, Reading } from '../../ui/states.tsx'
import './page.css'

const dayMilliseconds = 86_400_000

const sections = ['Overdue', 'Today', 'Next 7 days', 'Later', 'No due date'] as const

export default function MyCardsPage() {
  const query = useFoundCards({ is_mine: true, is_open: true, limit: 200 })
  return (
    <Page title="My cards">
      <Reading query={{ ...query, data: query.cards }} failed="Your cards could not be loaded">
        {(cards) =>
          cards.length === 0 ? (
            <Empty title="Nothing waits for you">
              Open cards that you own are listed here, the most urgent first.
            </Empty>
          ) : (
            sections.map((section) => <Section key={section} section={section} cards={cards} />)
          )
        }
      </Reading>
      <ShowMore query={query} />
    </Page>
  )
}

function Section({ section, cards }: { section: (typeof sections)[number]; cards: FoundCard[] }) {
  const held = cards.filter((card) => sectionOf(card) === section).sort(byDue)
  if (held.length === 0) return null
  return (
    <section className="my-cards-section">
      <h2 data-overdue={section === 'Overdue'}>
        {section} <span className="numbers">{held.length}</span>
      </h2>
      <CardRows cards={held} label={section} />
    </section>
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
