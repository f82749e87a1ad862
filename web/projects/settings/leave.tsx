import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { identity } from '../../data/client.ts'
import { failureOf, showFailure } from '../../data/failure.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { t } from '../../words/words.ts'

/** Superadmins who are not members have nothing to leave. */
export function LeaveProject() {
  const { me, client } = useProject()
  const lost = useLostConnection()
  const [isAsking, setAsking] = useState(false)
  const leaving = useMutation({
    mutationFn: () => client.call(`${identity}/members/leave`),
    // Everything that was read belongs to the project, so the app is loaded again.
    onSuccess: () => location.assign('/'),
    onError(error) {
      const isLast = failureOf(error).code === 'last_owner'
      showFailure(
        isLast
          ? t("You're the last owner. Transfer the ownership first")
          : t('You are still a member of this project'),
        error,
      )
    },
  })
  if (me.current_project?.role === 'superadmin') return null
  return (
    <section className="project-settings-section" aria-labelledby="leave-project">
      <h2 id="leave-project">{t('Leave project')}</h2>
      <p>{t('Your cards become unassigned. To come back you need an invitation.')}</p>
      <Button look="danger" refusal={lost} isBusy={leaving.isPending} onClick={() => setAsking(true)}>
        {t('Leave project…')}
      </Button>
      {isAsking && (
        <Confirm
          title={t('Leave {project}', { project: me.current_project?.name ?? '' })}
          action={t('Leave project')}
          isDanger
          onClose={() => setAsking(false)}
          onConfirm={() => leaving.mutate()}
        >
          <p>{t('Your cards become unassigned. To come back you need an invitation.')}</p>
        </Confirm>
      )}
    </section>
  )
}
