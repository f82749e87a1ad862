import { type RefObject, useRef } from 'react'
import { useProject } from '../data/project.tsx'
import { useUnreadElsewhere } from '../data/unread.ts'
import { ProjectSwitcher } from '../projects/project-switcher.tsx'
import { operatorEntries } from './operator-entries.tsx'
import { RailFrame, RailLinks } from './rail-frame.tsx'

/** The operator's sidebar; `content` is the page beside it. */
export function OperatorRail({ content }: { content: RefObject<HTMLElement | null> }) {
  const { me } = useProject()
  const { unread, look } = useUnreadElsewhere()
  const first = useRef<HTMLAnchorElement>(null)
  const labels = { '/account': [me.user.name] }
  return (
    <RailFrame
      content={content}
      first={first}
      top={<ProjectSwitcher unread={unread} onOpen={look} />}
      foot={<RailLinks entries={operatorEntries} section="foot" labels={labels} />}
    >
      <RailLinks entries={operatorEntries} section="main" first={first} />
    </RailFrame>
  )
}
