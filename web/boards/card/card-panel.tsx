import { Ellipsis, Link2, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { descriptionVersion } from '#boards/card/description-version.ts'
import { area } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { usePages, useRead } from '../../data/read.ts'
import { Failed } from '../../data/reading.tsx'
import { useMarkCardRead } from '../../data/unread.ts'
import { DraftScope } from '../../drafts/draft-scope.tsx'
import { LeftDrafts } from '../../drafts/left-drafts.tsx'
import { useRefusal } from '../../identity/permissions.ts'
import type { Member } from '../../projects/types.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Panel } from '../../ui/panel.tsx'
import { personName } from '../../ui/person-name.ts'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { ActivityList } from '../activity.tsx'
import { cardOf, groupOf } from '../arrangement.ts'
import { useBoards } from '../board-list.ts'
import { useRename } from '../changing.ts'
import { Description } from '../description.tsx'
import { Editing } from '../present.tsx'
import { GroupName } from '../signs.tsx'
import { Deleted } from '../trash/deleted.tsx'
import { useTrashed } from '../trash/use-trashed.ts'
import type { Board, Card } from '../types.ts'
import { useCardActions } from './card-actions.ts'
import { copyLink, useCardTools } from './card-tools.tsx'
import { Check } from './check.tsx'
import { Comments } from './comments.tsx'
import { CardFields } from './fields.tsx'
import { FollowMenu } from './follow-menu.tsx'
import { tuckAwayEntries } from './tucking-away.tsx'
import './history.css'
import { Provenance } from './provenance.tsx'
import { useSummarize } from './summarizing.ts'
import { CardSummary, CardTitle } from './title.tsx'
import './card-panel.css'

interface Props {
  cardId: number
  board: Board
  members: readonly Member[]
  /** The card whose description is being edited; null if none is. */
  onEditing(cardId: number | null): void
  onClose(): void
}

export default function CardPanel({ cardId, onClose, ...props }: Props) {
  const { board } = props
  const card = cardOf(board, cardId)
  if (!card) return <MissingCard cardId={cardId} board={board} onClose={onClose} />
  return (
    <DraftScope of={`card ${cardId}`}>
      <OpenCard card={card} onClose={onClose} {...props} />
    </DraftScope>
  )
}

function MissingCard({ cardId, board, onClose }: Pick<Props, 'cardId' | 'board' | 'onClose'>) {
  const { base } = useProject()
  const { thing: deleted, isAsking, failed } = useTrashed('card', cardId, Number.isSafeInteger(cardId))
  const name = deleted ? t('Card: {title}', { title: deleted.title }) : t('Card')
  const isUnknown = !deleted && !isAsking && !failed
  const isElsewhere = Number.isSafeInteger(cardId) && isUnknown
  const { data } = useRead(`${area}/cards/get`, { id: cardId, limit: 1 }, { enabled: isElsewhere })
  const { data: list } = useBoards()
  const moved = list?.boards.find(({ id }) => id === data?.board_id && id !== board.id)
  return (
    <Panel label={name} heading={<span dir="auto">{deleted?.title ?? name}</span>} onClose={onClose}>
      {deleted && <Deleted thing={deleted} />}
      {failed && (
        <Failed
          what={t('The card could not be opened')}
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      )}
      {isUnknown && (
        <Empty
          title={t("This card isn't on the board")}
          action={
            moved && (
              <ButtonLink href={`${base}/boards/${moved.id}/cards/${cardId}`}>
                {t('Open on {board}', { board: moved.title })}
              </ButtonLink>
            )
          }
        >
          {moved
            ? t('It was moved to another board.')
            : t('It may be in an archived group or on another board.')}
        </Empty>
      )}
      <LeftDrafts of={`card ${cardId}`} />
    </Panel>
  )
}

function OpenCard({ card, board, members, onEditing, onClose }: Omit<Props, 'cardId'> & { card: Card }) {
  const query = usePages(`${area}/cards/get`, { id: card.id })
  const { error, refetch } = query
  const data = query.data?.pages[0]
  const actions = useCardActions(board.id)
  const rename = useRename(actions.save)
  const summarize = useSummarize(actions.save)
  const work = useRefusal('work')
  const lost = useLostConnection()
  useMarkCardRead(card.id)
  const { me } = useProject()
  const others = useMemo(
    () =>
      members
        .filter(({ user_id }) => user_id !== me.user.id)
        .map(({ user_id, name }) => ({ id: user_id, name })),
    [members, me.user.id],
  )
  const [hasHistory, setHistory] = useState(false)
  const author = data?.people.find(({ id }) => id === card.created_by)
  return (
    <Panel
      label={t('Card: {title}', { title: card.title })}
      heading={<GroupName group={groupOf(board, card.id)} />}
      actions={
        <>
          {data && <FollowMenu cardId={card.id} isFollowing={data.is_following} isMuted={data.is_muted} />}
          <CardActions card={card} board={board} onClose={onClose} />
        </>
      }
      onClose={onClose}
    >
      <CardTitle
        card={card}
        place={`title of card ${card.id}`}
        refusal={work}
        onSave={(title, begun) => rename(card, title, begun)}
      />
      <CardSummary
        text={card.short_description}
        place={`short description of card ${card.id}`}
        refusal={work}
        onSave={(short_description, begun) => summarize(card, short_description, begun)}
      />
      <CardFields card={card} board={board} members={members} actions={actions} refusal={work} />
      {data && <Check card={card} detail={data.evaluation_detail} people={data.people} />}
      {data?.provenance && <Provenance card={card} origin={data.provenance} refusal={work} />}
      <Description
        place={`description of card ${card.id}`}
        of={card}
        refusal={work}
        members={others}
        mentions={data?.mentions ?? []}
        note={<Editing boardId={board.id} cardId={card.id} />}
        onEditing={(isEditing) => onEditing(isEditing ? card.id : null)}
        onSave={(description, { before, mentions }) =>
          actions.save({ id: card.id, description, mentions, if_version: descriptionVersion(before) })
        }
      />
      {/* A field in which somebody is writing stays, also if what is around it cannot be read again. */}
      {(data || !error) && <Comments card={card} members={others} query={query} />}
      {error && !(data && lost) && (
        <Failed what={t('The comments could not be loaded')} error={error} onRetry={() => void refetch()} />
      )}
      {/* Not before what is above it, which would push it away. */}
      {(data || error) && (
        <>
          <details className="card-history" onToggle={(event) => setHistory(event.currentTarget.open)}>
            <summary>{t('History')}</summary>
            {hasHistory && <ActivityList board={board} members={members} cardId={card.id} />}
          </details>
          <p className="card-made">
            {author
              ? rich('Created by {name} {ago}', {
                  name: personName(author.name),
                  ago: <Ago at={card.created_at} />,
                })
              : rich('Created {ago}', { ago: <Ago at={card.created_at} /> })}
          </p>
        </>
      )}
    </Panel>
  )
}

function CardActions({ card, board, onClose }: { card: Card; board: Board; onClose(): void }) {
  const { me } = useProject()
  const actions = useCardActions(board.id)
  const work = useRefusal('work')
  const any = useRefusal('delete any card')
  const own = useCardTools(onClose)
  return (
    <>
      <IconButton
        label={t('Copy link')}
        icon={<Link2 />}
        onClick={() => void copyLink(location.origin + location.pathname)}
      />
      {work !== viewOnly && (
        <Menu
          label={t('Actions for this card')}
          entries={() => [
            ...own.copying(card, board.id, work),
            'line',
            ...tuckAwayEntries(card, actions, work),
            'line',
            {
              label: t('Delete'),
              icon: <Trash2 />,
              isDanger: true,
              refusal: work ?? (card.created_by === me.user.id ? undefined : any),
              onSelect: () => {
                actions.remove(card)
                onClose()
              },
            },
          ]}
          trigger={(props) => (
            <IconButton {...props} label={t('Actions for this card')} icon={<Ellipsis />} />
          )}
        />
      )}
      {own.dialog}
    </>
  )
}
