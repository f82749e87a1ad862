import type { ReactNode } from 'react'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { Circumstances, Restore, useDeleted } from './deleted.tsx'

/** Instead of a project that was deleted; for all others that cannot be opened, the children. */
export default function IfDeleted({
  id,
  own,
  children,
}: {
  id: number
  own: ReactNode
  children: ReactNode
}) {
  const { data, error } = useDeleted()
  if (!data && !error) return null
  const found = data?.projects.find((one) => one.id === id)
  if (!found) return children
  return (
    <Empty
      title={t('{project} was deleted', { project: found.name })}
      action={
        <>
          {found.may_restore && <Restore project={found} />}
          {own}
        </>
      }
    >
      <Circumstances project={found} />{' '}
      {found.may_restore
        ? t('Then everything in it is permanently deleted.')
        : t('Ask an owner of the project to restore it.')}
    </Empty>
  )
}
