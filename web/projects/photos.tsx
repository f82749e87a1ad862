import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { identity } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf } from '../data/read.ts'
import { PhotosContext } from '../ui/avatar.tsx'

const path = `${identity}/members/list` as const

/** The first page is loaded by then; pages that need the members read them earlier. */
const patienceMilliseconds = 2000

/** Lets every avatar in the project show the photo of its person. */
export function PhotosProvider({ children }: { children: ReactNode }) {
  const { id, me, client } = useProject()
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), patienceMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  // Under the key of pages that read the members, so that they are read once.
  const { data } = useQuery({
    queryKey: keyOf(id, path),
    queryFn: () => client.call(path),
    enabled: isLater,
  })
  const { id: ownId, photo_url: own } = me.user
  const photos = useMemo(() => {
    const members = (data?.members ?? []).map(({ user_id: id, photo_url: url }) => [id, url] as const)
    const shown = [...members.filter(([id]) => id !== ownId), [ownId, own] as const]
    return new Map(shown.filter((one): one is readonly [number, string] => one[1] !== null))
  }, [data, ownId, own])
  return <PhotosContext value={photos}>{children}</PhotosContext>
}
