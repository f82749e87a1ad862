import { useMemo } from 'react'
import { useProject } from '../data/project.tsx'
import type { Member } from '../projects/types.ts'
import type { Group, Tag } from './types.ts'

/** What tables and calendars show beside the fields of cards. */
export interface Listing {
  groups: ReadonlyMap<number, ListedGroup>
  tags: ReadonlyMap<number, Tag>
  members: ReadonlyMap<number, Member>
  /** Of the person who looks at it. */
  myId: number
}

/** A group as lists name it, with its board in lists across boards. */
type ListedGroup = Pick<Group, 'id' | 'title' | 'icon' | 'color'> & {
  board?: { title: string; icon: string | null; color: string | null }
}

export const useListing = (
  groups: readonly ListedGroup[],
  tags: readonly Tag[],
  members: readonly Member[],
): Listing => {
  const myId = useProject().me.user.id
  return useMemo(
    () => ({
      myId,
      groups: new Map(groups.map((group) => [group.id, group])),
      tags: new Map(tags.map((tag) => [tag.id, tag])),
      members: new Map(members.map((member) => [member.user_id, member])),
    }),
    [groups, tags, members, myId],
  )
}
