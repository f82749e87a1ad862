import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { area, type Output } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import type { usePages } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { MarkdownText } from '../../ui/markdown-text.tsx'
import { Menu } from '../../ui/menu.tsx'
import type { Person } from '../../ui/people-list.tsx'
import { personName } from '../../ui/person-name.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { spot } from '../../ui/spots.ts'
import { Loading, SkeletonRows } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import type { Card, Comment } from '../types.ts'
import './comments.css'
import { Composer } from './composer.tsx'
import { LeftReplies } from './left-replies.tsx'

const commentSpot = spot('comment')

type Read = Output<`${typeof area}/cards/get`>
type People = Read['people']

interface Props {
  card: Card
  /** Who can be mentioned. */
  members: readonly Person[]
  query: ReturnType<typeof usePages<`${typeof area}/cards/get`>>
}

export function Comments({ card, members, query }: Props) {
  const pages = query.data?.pages
  // Pages come newest first, comments within a page oldest first.
  const comments = pages?.toReversed().flatMap((page) => page.comments)
  const people = pages?.flatMap((page) => page.people) ?? []
  const refusal = useRefusal('work')
  const draft = useDraft(`comment on card ${card.id}`)
  const fresh = useUnread(card.id, comments)
  const creating = useWrite(`${area}/comments/create`, {
    failed: t('The comment was not sent'),
    refreshes: [`${area}/cards/get`, `${area}/activity/list`],
  })
  const threads = threadsOf(comments ?? [])
  const count = pages?.[0]?.comments_count ?? 0
  return (
    <section aria-label={t('Comments')} className="comments">
      <h2>
        {t('Comments')} {count > 0 && <span className="comments-count numbers">{count}</span>}
      </h2>
      {!comments && (
        <Loading>
          <SkeletonRows rows={2} />
        </Loading>
      )}
      <ShowMore query={query} label={t('Show earlier comments')} />
      <ol>
        {threads.map(({ thread, replies }) => (
          <li key={thread.id}>
            <Thread
              thread={thread}
              replies={replies}
              people={people}
              fresh={fresh}
              members={members}
              refusal={refusal}
              onReply={(comment, mentions) =>
                creating.mutateAsync({ card_id: card.id, comment, mentions, parent_comment_id: thread.id })
              }
            />
          </li>
        ))}
      </ol>
      {comments && <LeftReplies cardId={card.id} comments={comments} />}
      {comments && (
        <Composer
          field={commentSpot}
          draft={draft}
          label={t('Write a comment')}
          action={t('Comment', { as: 'action' })}
          members={members}
          refusal={refusal}
          onSend={(comment, mentions) => creating.mutateAsync({ card_id: card.id, comment, mentions })}
        />
      )}
    </section>
  )
}

/** One level of replies: a reply to a reply is listed under the first comment of its thread, oldest first. */
function threadsOf(comments: readonly Comment[]): { thread: Comment; replies: Comment[] }[] {
  const threads = new Map<number, { thread: Comment; replies: Comment[] }>()
  // A parent is older than its replies. A reply to a comment of an earlier page is shown on its own until that page is loaded.
  for (const comment of comments) {
    const found = comment.parent_comment_id === null ? undefined : threads.get(comment.parent_comment_id)
    found?.replies.push(comment)
    threads.set(comment.id, found ?? { thread: comment, replies: [] })
  }
  return [...new Set(threads.values())]
}

/** Marks the shown comments as read, and remembers which ones were new. */
function useUnread(cardId: number, comments: readonly Comment[] | undefined): ReadonlySet<number> {
  const { isConnected } = useProject()
  const fresh = useRef(new Set<number>())
  const { mutate } = useWrite(`${area}/comments/mark-read`, {
    failed: t('The comments were not marked as read'),
    refreshes: [`${area}/boards/get-personal`, `${area}/cards/get`],
    isAside: true,
  })
  const unread = comments?.filter(({ is_read }) => !is_read).map(({ id }) => id) ?? []
  for (const id of unread) fresh.current.add(id)
  const hasUnread = unread.length > 0
  useEffect(() => {
    if (hasUnread && isConnected) mutate({ card_id: cardId })
  }, [hasUnread, isConnected, cardId, mutate])
  return fresh.current
}

interface ThreadProps {
  thread: Comment
  replies: readonly Comment[]
  people: People
  fresh: ReadonlySet<number>
  members: readonly Person[]
  refusal: string | undefined
  onReply(comment: string, mentions: number[]): Promise<unknown>
}

function Thread({ thread, replies, people, fresh, members, refusal, onReply }: ThreadProps) {
  const draft = useDraft(`reply to comment ${thread.id}`)
  const [isOpened, setReplying] = useState(draft.text !== undefined)
  const isReplying = isOpened || draft.text !== undefined
  const place = useRef<HTMLDivElement>(null)
  const [hadFocus, setHadFocus] = useState(false)
  const close = () => {
    setHadFocus(place.current?.contains(document.activeElement) === true)
    setReplying(false)
  }
  return (
    <>
      <CommentItem comment={thread} people={people} members={members} isFresh={fresh.has(thread.id)} />
      <div className="comment-replies" ref={place}>
        {replies.map((reply) => (
          <CommentItem
            key={reply.id}
            comment={reply}
            people={people}
            members={members}
            isFresh={fresh.has(reply.id)}
          />
        ))}
        {isReplying ? (
          <Composer
            draft={draft}
            label={t('Write a reply')}
            action={t('Reply', { as: 'action' })}
            isOpen
            members={members}
            refusal={refusal}
            onCancel={close}
            onSend={async (comment, mentions) => {
              await onReply(comment, mentions)
              close()
            }}
          />
        ) : (
          <Button
            look="quiet"
            className="comment-reply"
            refusal={refusal}
            // The nearest element could be a reply that has just come.
            autoFocus={hadFocus}
            onClick={() => setReplying(true)}
          >
            {t('Reply', { as: 'action' })}
          </Button>
        )}
      </div>
    </>
  )
}

interface ItemProps {
  comment: Comment
  people: People
  members: readonly Person[]
  isFresh: boolean
}

function CommentItem({ comment, people, members, isFresh }: ItemProps) {
  const { id: projectId, me } = useProject()
  const draft = useDraft(`change of comment ${comment.id}`)
  const [isOpened, setEditing] = useState(draft.text !== undefined)
  const isEditing = isOpened || draft.text !== undefined
  const any = useRefusal('delete any card')
  const work = useRefusal('work')
  const refreshes = [`${area}/cards/get`, `${area}/activity/list`] as const
  const updating = useWrite(`${area}/comments/update`, {
    failed: t('The comment was not changed'),
    refreshes,
    change: (cache, { id, comment: text }) =>
      cache.setQueriesData<{ pages: Read[] }>(
        { queryKey: [projectId, `${area}/cards/get`] },
        (read) => read && { ...read, pages: read.pages.map((page) => withText(page, id, text)) },
      ),
  })
  const { mutate: restore } = useWrite(`${area}/comments/restore`, {
    failed: t('The comment was not restored'),
    refreshes,
  })
  const deleting = useWrite(`${area}/comments/delete`, {
    failed: t('The comment was not deleted'),
    done: ({ id }) => showToast(t('Comment deleted'), () => restore({ id })),
    refreshes,
  })
  const isOwn = comment.user_id === me.user.id
  const name = personName(people.find(({ id }) => id === comment.user_id)?.name ?? t('Someone'))
  return (
    <article className="comment" data-fresh={isFresh} aria-label={t('Comment by {name}', { name })}>
      <Avatar id={comment.user_id} name={name} />
      <div className="comment-content">
        <header>
          <strong dir="auto">{name}</strong> <Ago at={comment.created_at} />
          {comment.updated_at !== comment.created_at && <span className="comment-edited">{t('edited')}</span>}
          {isFresh && <span className="comment-new">{t('New')}</span>}
          {work !== viewOnly && (
            <Menu
              label={t('Actions for the comment by {name}', { name })}
              entries={() => [
                {
                  label: t('Edit'),
                  icon: <Pencil />,
                  refusal: work ?? (isOwn ? undefined : t('Only the author can edit a comment.')),
                  onSelect: () => setEditing(true),
                },
                {
                  label: t('Delete'),
                  icon: <Trash2 />,
                  isDanger: true,
                  refusal: work ?? (isOwn ? undefined : any),
                  onSelect: () => deleting.mutate({ id: comment.id }),
                },
              ]}
              trigger={(props) => (
                <IconButton
                  {...props}
                  label={t('Actions for the comment by {name}', { name })}
                  icon={<Ellipsis />}
                />
              )}
            />
          )}
        </header>
        {isEditing ? (
          <Composer
            draft={draft}
            label={t('Edit comment')}
            action={t('Save')}
            isOpen
            text={comment.comment}
            mentions={comment.mentions}
            members={members}
            refusal={work}
            onCancel={() => setEditing(false)}
            onSend={async (text, mentions) => {
              await updating.mutateAsync({ id: comment.id, comment: text, mentions })
              setEditing(false)
            }}
          />
        ) : (
          <MarkdownText text={comment.comment} mentions={comment.mentions} />
        )}
      </div>
    </article>
  )
}

const withText = (read: Read, id: number, text: string): Read => ({
  ...read,
  comments: read.comments.map((one) => (one.id === id ? { ...one, comment: text } : one)),
})
