import { area } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { useRead } from '../data/read.ts'
import { useWrite } from '../data/write.ts'
import { useRefusal } from '../identity/permissions.ts'
import { Button } from '../ui/button.tsx'
import { showToast } from '../ui/toast.tsx'
import { useTour } from './state.tsx'
import { isDone } from './types.ts'

/** On the account page: opens the tour of the project, or brings it back after it was dismissed. */
export function AccountTour() {
  const { me } = useProject()
  return (
    <section className="account-section" aria-labelledby="account-tour">
      <h2 id="account-tour">Getting started</h2>
      <Offer name={me.current_project?.name ?? ''} />
    </section>
  )
}

function Offer({ name }: { name: string }) {
  const { cards, open } = useTour()
  const { data } = useRead(`${area}/tour/cards/list`, { is_dismissed: true })
  const refusal = useRefusal('work')
  const restoring = useWrite(`${area}/tour/cards/restore-all`, {
    failed: 'The tour was not brought back',
    done() {
      showToast('Tour brought back')
      open()
    },
  })
  if (cards.length > 0)
    return (
      <>
        <p>
          {cards.filter(isDone).length} of {cards.length} steps in <span dir="auto">{name}</span> are done.
        </p>
        <div className="account-buttons">
          <Button onClick={open}>Open Getting started</Button>
        </div>
      </>
    )
  if (!data) return null
  if (data.cards.length === 0)
    return (
      <p>
        <span dir="auto">{name}</span> has no tour.
      </p>
    )
  return (
    <>
      <p>
        The tour of <span dir="auto">{name}</span> was dismissed. Bringing it back shows its cards again, for
        everyone in the project.
      </p>
      <div className="account-buttons">
        <Button refusal={refusal} isBusy={restoring.isPending} onClick={() => restoring.mutate({})}>
          Bring the tour back
        </Button>
      </div>
    </>
  )
}
