import { CirclePlus, Columns3, SquareKanban } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useBoards } from '../boards/board-list.ts'
import { area, identity } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { useRead } from '../data/read.ts'
import { useRefusal } from '../identity/permissions.ts'
import { Avatar } from '../ui/avatar.tsx'
import { useSettled } from '../ui/settled.ts'
import { OptionalSign } from '../ui/sign.tsx'
import { t } from '../words/words.ts'
import {
  type Command,
  CommandDialog,
  type MenuProps,
  pageCommands,
  usePagesAsCommands,
  usualCommands,
} from './command-dialog.tsx'
import { entries } from './entries.tsx'

/** Finds boards, cards, people and pages, and the actions of what has the focus. */
export default function CommandMenu(props: MenuProps) {
  const { sections, onNewCard, onShown, onClose } = props
  const { base } = useProject()
  const [text, setText] = useState('')
  const work = useRefusal('work')
  const pages = usePagesAsCommands(entries)
  const all: Command[] = [
    ...pageCommands(sections),
    ...useBoardsAndPeople(),
    ...pages,
    {
      id: 'new card',
      section: t('Actions'),
      label: t('New card'),
      icon: <CirclePlus />,
      hint: 'C',
      refusal: work,
      act: onNewCard,
    },
    ...usualCommands(props),
  ]
  const query = useSettled(text.trim())
  const isSearching = /\S{2}|\p{Emoji_Presentation}/u.test(query)
  const { data } = useRead(`${area}/cards/search`, { query, limit: 8 }, { enabled: isSearching })
  const cards = (isSearching ? (data?.cards ?? []) : []).map(({ id, board_id, board_title, title }) => ({
    id: `card ${id}`,
    section: t('Cards'),
    label: title,
    detail: board_title,
    icon: <SquareKanban />,
    act: `${base}/boards/${board_id}/cards/${id}`,
  }))
  return (
    <CommandDialog
      text={text}
      onText={setText}
      all={all}
      found={cards}
      asking={props.asking}
      onShown={onShown}
      onClose={onClose}
    />
  )
}

function useBoardsAndPeople(): Command[] {
  const { base } = useProject()
  const [location] = useLocation()
  const { data: boardsRead } = useBoards()
  const { data: membersRead } = useRead(`${identity}/members/list`)
  const boards = boardsRead?.boards ?? []
  const here = boards.find(({ id }) => location.startsWith(`${base}/boards/${id}`)) ?? boards[0]
  return [
    ...boards.map(({ id, title, icon, color }) => ({
      id: `board ${id}`,
      section: t('Boards'),
      label: title,
      icon: icon || color ? <OptionalSign icon={icon} color={color} /> : <Columns3 />,
      act: `${base}/boards/${id}`,
    })),
    ...(here ? (membersRead?.members ?? []) : []).map(({ user_id, name }) => ({
      id: `person ${user_id}`,
      section: t('People'),
      label: name,
      detail: t('Cards on {board}', { board: here?.title ?? '' }),
      icon: <Avatar id={user_id} name={name} />,
      act: `${base}/boards/${here?.id}?owner=${user_id}`,
    })),
  ]
}
