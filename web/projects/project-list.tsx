import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { identity } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { usePages } from '../data/read.ts'
import { PickerPopover } from '../ui/picker.tsx'
import type { PopoverState } from '../ui/popover.tsx'
import { countText } from '../ui/tab-title.tsx'
import { locale } from '../words/locale.ts'
import { t } from '../words/words.ts'
import { usePlatforms } from './platforms.ts'

const collator = new Intl.Collator(locale)

/** The projects of a person, more of them when the list is scrolled; typing finds any. `unread` has the unread items of other projects. */
export default function ProjectList({
  unread,
  state,
}: {
  unread: ReadonlyMap<number, number>
  state: PopoverState
}) {
  const { id } = useProject()
  const [, navigate] = useLocation()
  const [text, setText] = useState('')
  const input = { limit: 50, ...(text.trim() !== '' && { query: text.trim() }) }
  const query = usePages(`${identity}/projects/list`, input, { placeholderData: keepPreviousData })
  const projects = query.data?.pages.flatMap((page) => page.projects) ?? []
  const platforms = usePlatforms()
  const choices = projects.map(({ id, name: given, platform_id: platformId, archived_at }) => {
    const section = platforms.get(platformId)
    const count = unread.get(id)
    const name = archived_at === null ? given : t('{name} (archived)', { name: given })
    const label = count === undefined ? name : t('{name} ({count} unread)', { name, count: countText(count) })
    return { id, label, ...(section !== undefined && { section }) }
  })
  return (
    <PickerPopover
      label={t('Switch to a project')}
      choices={choices.sort((a, b) => collator.compare(a.section ?? '', b.section ?? ''))}
      chosen={[id]}
      state={state}
      onSearch={setText}
      isReading={query.data === undefined || query.isPlaceholderData}
      onEnd={query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined}
      note={query.hasNextPage ? t('More projects match. Type to narrow it down.') : undefined}
      onChoose={(chosen) => navigate(`/p/${chosen}/home`)}
    />
  )
}
