import { operation } from '#api/operation.ts'
import { listTour, mostTourCards, tourCard } from '#boards/card/tour.ts'
import { flag, list, optional, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tour/cards/list',
  summary: `The tour of the project: its cards with a tour_key (${mostTourCards} at most), or the dismissed ones, in the order of the boards; and whether the caller has closed it before`,
  audience: 'read',
  on: 'project',
  input: { is_dismissed: optional(flag()) },
  success: 200,
  message: 'The tour.',
  output: record({ cards: list(tourCard), is_seen: flag() }),
  failures: {},
  // The tour opens by itself for new members only, not for superadmins who look into a project.
  alongside: { columns: 'm.user_id is null or m.tour_seen_at is not null as is_seen' },
  async handle({ input, alongside, projectId, db }) {
    const cards = await listTour(db, projectId, { isDismissed: input.is_dismissed ?? false })
    return { cards, is_seen: (alongside as { is_seen: boolean }).is_seen }
  },
})
