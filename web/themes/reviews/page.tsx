import { Check, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { themes } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { usePages } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FieldArea } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { ThemeVersion } from '../types.ts'
import './page.css'

export default function ThemeReviewsPage() {
  return (
    <Page title="Theme reviews">
      <Queue />
    </Page>
  )
}

/** The versions of all projects that wait for a superadmin's review. */
function Queue() {
  const query = usePages(
    `${themes}/versions/list`,
    { approval_status: 'pending' },
    { refetchOnMount: 'always' },
  )
  const versions = query.data?.pages.flatMap((page) => page.versions)
  return (
    <>
      <Reading query={{ ...query, data: versions }} failed="The reviews could not be loaded">
        {(waiting) =>
          waiting.length === 0 ? (
            <Empty title="No reviews waiting">
              Versions that projects submit appear here until you approve or reject them.
            </Empty>
          ) : (
            <>
              <p className="page-note">
                Once you approve a version, its project can publish it to everyone. Rejected versions go back
                with your reason.
              </p>
              <ul className="reviews" aria-label="Versions to review">
                {waiting.map((version) => (
                  <Review key={version.version_id} version={version} />
                ))}
              </ul>
            </>
          )
        }
      </Reading>
      <ShowMore query={query} label="Show older" />
    </>
  )
}

function Review({ version }: { version: ThemeVersion }) {
  const { version_id, project_name: project, submitted_at } = version
  const name = `${version.theme_name} ${version.version}`
  const [isRejecting, setRejecting] = useState(false)
  const approving = useWrite(`${themes}/versions/approve`, { failed: 'The version was not approved' })
  const approve = () =>
    approving.mutate(
      { version_id },
      { onSuccess: () => showToast(`Approved ${name}. ${project} can publish it now.`) },
    )
  return (
    <li>
      <div className="reviews-words">
        <h2 className="truncate" dir="auto">
          {name}
        </h2>
        <p className="truncate">
          <span dir="auto">{project}</span>
          {submitted_at !== null && (
            <>
              {' '}
              · submitted <Ago at={submitted_at} />
            </>
          )}
        </p>
      </div>
      <div className="reviews-actions">
        <Button icon={<X />} onClick={() => setRejecting(true)}>
          Reject…<span className="visually-hidden"> {name}</span>
        </Button>
        <Button icon={<Check />} isBusy={approving.isPending} onClick={approve}>
          Approve<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
      {isRejecting && (
        <Reject id={version_id} name={name} project={project} onClose={() => setRejecting(false)} />
      )}
    </li>
  )
}

interface RejectProps {
  id: number
  name: string
  project: string
  onClose(): void
}

function Reject({ id, name, project, onClose }: RejectProps) {
  const draft = useDraft(`reason for rejecting version ${id}`)
  const reason = draft.text ?? ''
  const rejecting = useWrite(`${themes}/versions/reject`, { failed: 'The version was not rejected' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rejecting.mutate(
      { version_id: id, reason },
      {
        onSuccess() {
          draft.clear()
          showToast(`Rejected ${name}`)
          onClose()
        },
      },
    )
  }
  const close = () => {
    draft.discard()
    onClose()
  }
  return (
    <Dialog title={`Reject ${name}`} onClose={close}>
      <form onSubmit={submit}>
        <FieldArea
          label="Reason"
          hint={draft.isFound ? 'Unsaved draft' : `${project} reads it and can submit the version again.`}
          error={fieldErrors(rejecting.error)['reason']}
          autoFocus
          required
          rows={4}
          maxLength={1000}
          value={reason}
          onChange={(event) => draft.write(event.target.value)}
        />
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" look="danger" isBusy={rejecting.isPending}>
            Reject
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
