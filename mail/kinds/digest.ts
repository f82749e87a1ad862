import { mail, oneLine } from '../content.ts'
import { cardPath, type DatedPen, dateIn, endingNote, lineOf, type MailedItem } from './mailed-item.ts'

export interface DueCard {
  project_id: number
  project_name: string
  card_id: number
  card_title: string
  board_id: number
  board_title: string
  ends_at: string
  ends_on_date: boolean
}

/** The first of them, and how many there are. */
interface Section<Row> {
  lines: Row[]
  total: number
}

const cardLine = (card: DueCard, pen: DatedPen) => ({
  text: oneLine(card.card_title),
  url: pen.url(cardPath(card)),
  detail: [
    dateIn(card.ends_at, card.ends_on_date, pen),
    oneLine(card.board_title),
    oneLine(card.project_name),
  ].join(' · '),
})

/** What is overdue, due today and unread, once a day. */
export const digest = mail<{
  overdue: Section<DueCard>
  today: Section<DueCard>
  unread: Section<MailedItem>
  timeZone: string
  unsubscribe: string
}>({
  hours: 6,
  isBulk: true,
  write({ overdue, today, unread, timeZone, unsubscribe }, pen) {
    const { say, url } = pen
    const dated = { ...pen, timeZone }
    const sections = [
      {
        heading: say('Overdue'),
        count: say(':count overdue', { count: overdue.total }),
        total: overdue.total,
        lines: overdue.lines.map((card) => cardLine(card, dated)),
      },
      {
        heading: say('Due today'),
        count: say(':count due today', { count: today.total }),
        total: today.total,
        lines: today.lines.map((card) => cardLine(card, dated)),
      },
      {
        heading: say('Unread'),
        count: say(':count unread', { count: unread.total }),
        total: unread.total,
        lines: unread.lines.map((item) => lineOf(item, dated)),
      },
    ].filter(({ total }) => total > 0)
    return {
      subject: say('Your day: :counts', { counts: sections.map(({ count }) => count).join(', ') }),
      paragraphs: [],
      lists: sections.map(({ heading, total, lines }) => ({
        heading,
        lines,
        ...(total > lines.length && { more: say('And :count more.', { count: total - lines.length }) }),
      })),
      action: { label: say('Open Cardinal'), url: url('/') },
      notes: [endingNote(pen)],
      unsubscribe: url(`/unsubscribe/${unsubscribe}`),
    }
  },
})
