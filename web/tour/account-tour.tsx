import { area } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { useRead } from '../data/read.ts'
import { useWrite } from '../data/write.ts'
import { useRefusal } from '../identity/permissions.ts'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toast.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { useTour } from './state.tsx'
import { isDone } from './types.ts'

/** On the account page: opens the tour of the project, or brings it back after it was dismissed. */
export function AccountTour() {
  const { me } = useProject()
  // Its steps are things to do.
  if (useRefusal('work') === viewOnly) return null
  return (
    <section className="account-section" aria-labelledby="account-tour">
      <h2 id="account-tour">{t('Getting started')}</h2>
      <Offer name={me.current_project?.name ?? ''} />
    </section>
  )
}

function Offer({ name }: { name: string }) {
  const { cards, open } = useTour()
  const { data } = useRead(`${area}/tour/cards/list`, { is_dismissed: true })
  const refusal = useRefusal('work')
  const restoring = useWrite(`${area}/tour/cards/restore-all`, {
    failed: t('The tour was not brought back'),
    done() {
      showToast(t('Tour brought back'))
      open()
    },
  })
  const project = <span dir="auto">{name}</span>
  if (cards.length > 0)
    return (
      <>
        <p>
          {rich('{done} of {all} steps in {project} are done.', {
            done: cards.filter(isDone).length,
            all: cards.length,
            project,
          })}
        </p>
        <div className="account-buttons">
          <Button onClick={open}>{t('Open Getting started')}</Button>
        </div>
      </>
    )
  if (!data) return null
  if (data.cards.length === 0) return <p>{rich('{project} has no tour.', { project })}</p>
  return (
    <>
      <p>
        {rich(
          'The tour of {project} was dismissed. Bringing it back shows its cards again, for everyone in the project.',
          { project },
        )}
      </p>
      <div className="account-buttons">
        <Button refusal={refusal} isBusy={restoring.isPending} onClick={() => restoring.mutate({})}>
          {t('Bring the tour back')}
        </Button>
      </div>
    </>
  )
}
