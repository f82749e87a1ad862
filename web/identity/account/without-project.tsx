import { useMemo } from 'react'
import { type Me, NoProjectProvider } from '../../data/project.tsx'
import { PhotosContext } from '../../ui/avatar.tsx'
import { AccountSections } from './sections.tsx'

/** For people who are in no project, and so have no account page: their account stays theirs. */
export default function AccountWithoutProject({ me }: { me: Me }) {
  const { id, photo_url: photo } = me.user
  const photos = useMemo(() => new Map(photo === null ? [] : [[id, photo]]), [id, photo])
  return (
    <NoProjectProvider me={me}>
      <PhotosContext value={photos}>
        <div className="account-alone">
          <AccountSections />
        </div>
      </PhotosContext>
    </NoProjectProvider>
  )
}
