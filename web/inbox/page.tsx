import { Check, CheckCheck } from 'lucide-react'
import { type RefObject, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'wouter'
import { area } from '../data/client.ts'
import { useLostConnection, useProject } from '../data/project.tsx'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { announce } from '../ui/announcer.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { isTyping } from '../ui/commands.ts'
import { isAnythingFloating } from '../ui/floating.ts'
import { MarkdownText } from '../ui/markdown-text.tsx'
import { Page } from '../ui/page.tsx'
import { rememberOpened, useReturnTo } from '../ui/returning.ts'
import { Segments } from '../ui/segments.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty } from '../ui/states.tsx'
import { Ago } from '../ui/time.tsx'
import { hidden } from '../words/hidden.tsx'
import { t } from '../words/words.ts'
import './page.css'
import { type InboxItem, useMarkRead, useUnreadCount } from '../data/unread.ts'
import { sentenceOf, signs, titleOf } from './sentences.tsx'

const none: never[] = []

export default function InboxPage() {
  const [search, setSearch] = useSearchParams()
  const isUnread = search.get('show') === 'unread'
  const query = usePages(`${area}/inbox/list`, { is_unread: isUnread })
  const items = query.data?.pages.flatMap((page) => page.items)
  const { markAllRead } = useMarkRead()
  const offline = useLostConnection()
  const hasUnread = useUnreadCount() > 0
  const newest = items?.[0]
  return (
    <Page
      title={t('Inbox')}
      actions={
        newest && (
          <Button
            icon={<CheckCheck />}
            refusal={offline ?? (hasUnread ? undefined : t('Everything is read'))}
            onClick={() => markAllRead({ up_to: newest.id })}
          >
            {t('Mark all as read')}
          </Button>
        )
      }
      below={
        <Segments
          label={t('Show')}
          choices={{ all: t('All'), unread: t('Unread') }}
          chosen={isUnread ? 'unread' : 'all'}
          onChoose={(chosen) => setSearch(chosen === 'unread' ? { show: 'unread' } : {}, { replace: true })}
        />
      }
    >
      <Reading query={{ ...query, data: items }} failed={t('The inbox could not be loaded')}>
        {(shown) =>
          shown.length === 0 ? (
            <Empty title={t("You're all caught up")}>
              {t('Cards assigned to you, mentions, comments on cards you follow and due dates appear here.')}
            </Empty>
          ) : (
            <Items items={shown} />
          )
        }
      </Reading>
      <ShowMore query={query} />
    </Page>
  )
}

function Items({ items }: { items: readonly InboxItem[] }) {
  const links = useRef(new Map<number, HTMLAnchorElement>())
  const { markRead } = useMarkRead()
  const offline = useLostConnection()
  const mark = (item: InboxItem) => {
    if (item.is_read || offline !== undefined) return
    markRead({ items: [item.id] })
    announce(t('Marked as read'))
  }
  useKeys(items, links, mark)
  const returnTo = useReturnTo()
  useEffect(() => {
    if (returnTo !== undefined) links.current.get(returnTo)?.focus()
  }, [returnTo])
  return (
    <ul className="inbox-items" aria-label={t('Inbox')} aria-keyshortcuts="J K E">
      {items.map((item) => (
        <Item
          key={item.id}
          item={item}
          refusal={offline}
          onMark={() => mark(item)}
          link={(element) => {
            if (element) links.current.set(item.id, element)
            else links.current.delete(item.id)
          }}
        />
      ))}
    </ul>
  )
}

/** `j` and `k` move through the list, `e` marks as read; Enter follows the link. */
function useKeys(
  items: readonly InboxItem[],
  links: RefObject<Map<number, HTMLAnchorElement>>,
  mark: (item: InboxItem) => void,
) {
  const latest = useRef({ items, mark })
  latest.current = { items, mark }
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey, target } = event
      if (ctrlKey || metaKey || altKey || isTyping(target) || isAnythingFloating()) return
      const { items: shown, mark: markShown } = latest.current
      const place = shown.findIndex(({ id }) => links.current.get(id) === document.activeElement)
      const focus = (at: number) => links.current.get(shown[at]?.id ?? 0)?.focus()
      if (key === 'j') focus(Math.min(place + 1, shown.length - 1))
      else if (key === 'k') focus(Math.max(place - 1, 0))
      else if (key === 'e' && shown[place]) {
        markShown(shown[place])
        // In the list of unread items this one goes away.
        focus(place + 1 < shown.length ? place + 1 : place - 1)
      } else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [links])
}

interface ItemProps {
  item: InboxItem
  refusal: string | undefined
  onMark(): void
  link(element: HTMLAnchorElement | null): void
}

/** Where an item leads that is not about a card. */
const pageOf = ({ reason }: InboxItem) => (reason === 'invitation_accepted' ? '/members' : '/subscription')

function Item({ item, refusal, onMark, link }: ItemProps) {
  const { base } = useProject()
  const { card_id, board_id, board_title, actor_id, actor_name, is_read, excerpt } = item
  const isOfCard = card_id !== null
  return (
    <li className="inbox-item" data-unread={!is_read} data-reason={item.reason}>
      <span className="inbox-mark">
        {!is_read && <span className="dot" data-hue="blue" aria-hidden="true" />}
      </span>
      <span className="inbox-sign" aria-hidden="true">
        {actor_id === null || actor_name === null ? (
          signs[item.reason]
        ) : (
          <Avatar id={actor_id} name={actor_name} />
        )}
      </span>
      <div className="inbox-main">
        <Link
          ref={link}
          href={base + (isOfCard ? `/boards/${board_id}/cards/${card_id}` : pageOf(item))}
          state={{ isFromList: true }}
          className="inbox-title truncate"
          dir="auto"
          onClick={isOfCard ? () => rememberOpened(item.id) : onMark}
        >
          {!is_read && hidden(t('Unread:'))} {titleOf(item)}
        </Link>
        <p className="inbox-what">
          <span dir="auto">{sentenceOf(item)}</span>
          {board_title !== null && (
            <span className="inbox-board truncate" dir="auto">
              {board_title}
            </span>
          )}
        </p>
        {excerpt !== null && (
          <div className="inbox-excerpt">
            <MarkdownText text={excerpt} mentions={none} />
          </div>
        )}
      </div>
      <span className="inbox-when">
        <Ago at={item.occurred_at} />
      </span>
      <span className="inbox-action">
        {!is_read && (
          <IconButton
            label={t('Mark “{title}” as read', { title: titleOf(item) })}
            icon={<Check />}
            refusal={refusal}
            onClick={onMark}
          />
        )}
      </span>
    </li>
  )
}
