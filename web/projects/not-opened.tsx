import type { ReactNode } from 'react'
import { Empty } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { Circumstances, Restore, useDeleted } from './deleted.tsx'

/** Instead of a project that the person cannot open: it was deleted, or there is none for them. */
export default function NotOpened({ id, own }: { id: number; own: ReactNode }) {
  const { data, error } = useDeleted()
  if (!data && !error) return null
  const found = data?.projects.find((one) => one.id === id)
  if (!found)
    return (
      <Empty title={t("This project can't be opened")} action={own}>
        {t("It doesn't exist, or you're not a member.")}
      </Empty>
    )
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
