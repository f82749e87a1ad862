import { mail } from '../content.ts'
import { endingNote, lineOf, type MailedItem, sentenceOf } from './mailed-item.ts'

/** What somebody has not read in the app for some minutes. */
export const inboxItems = mail<{
  items: MailedItem[]
  /** May be more than the items. */
  total: number
  timeZone: string
  unsubscribe: string
}>({
  hours: 12,
  write({ items, total, timeZone, unsubscribe }, pen) {
    const { say, url } = pen
    const dated = { ...pen, timeZone }
    const [first] = items as [MailedItem]
    const isOne = total === 1
    const more = total - items.length
    const lines = items.map((item) => lineOf(item, dated))
    return {
      subject: isOne ? sentenceOf(first, dated) : say(':count unread notifications', { count: total }),
      paragraphs: [],
      lists: [{ lines, ...(more > 0 && { more: say('And :count more.', { count: more }) }) }],
      action: isOne
        ? { label: say('Open in Cardinal'), url: lines[0]?.url ?? url('/') }
        : { label: say('Open inbox'), url: url(`/p/${first.project_id}/inbox`) },
      notes: [endingNote(pen)],
      unsubscribe: url(`/unsubscribe/${unsubscribe}`),
    }
  },
})
