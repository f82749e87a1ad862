import { Check, X } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { themes } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { usePages } from '../../data/read.ts'
import type { ThemeVersion } from '../../data/types.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, Loading, SkeletonRows } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import './page.css'

export default function ThemeReviewsPage() {
  return (
    <Page title="Theme reviews">
      <Queue />
    </Page>
  )
}

/** What waits for a superadmin, of all projects. */
function Queue() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(
    `${themes}/versions/list`,
    { approval_status: 'pending' },
    { refetchOnMount: 'always' },
  )
  const versions = data?.pages.flatMap((page) => page.versions)
  return (
    <>
      {error && !data && (
        <Failed what="The reviews could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && (
        <Loading>
          <SkeletonRows />
        </Loading>
      )}
      {versions?.length === 0 && (
        <Empty title="Nothing waits for a review">
          Versions that projects submit appear here, until they are approved or rejected.
        </Empty>
      )}
      {versions && versions.length > 0 && (
        <>
          <p className="reviews-note">
            Once approved, the project can publish a version for all others. What is rejected goes back with
            your reason.
          </p>
          <ul className="reviews" aria-label="Versions that wait for a review">
            {versions.map((version) => (
              <Review key={version.version_id} version={version} />
            ))}
          </ul>
        </>
      )}
      {hasNextPage && (
        <Button look="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older
        </Button>
      )}
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
      { onSuccess: () => showToast(`Approved ${name}; ${project} can publish it now`) },
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
  const fieldId = useId()
  const [reason, setReason] = useState('')
  const rejecting = useWrite(`${themes}/versions/reject`, { failed: 'The version was not rejected' })
  const error = fieldErrors(rejecting.error)['reason']
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rejecting.mutate(
      { version_id: id, reason },
      {
        onSuccess() {
          showToast(`Rejected ${name}`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={`Reject ${name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <div className="field">
          <label htmlFor={fieldId}>Reason</label>
          <textarea
            id={fieldId}
            className="input"
            autoFocus
            required
            rows={4}
            maxLength={1000}
            aria-describedby={`${fieldId}-hint`}
            aria-invalid={error ? true : undefined}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <p id={`${fieldId}-hint`} className={error ? 'field-error' : 'field-hint'}>
            {error ?? `${project} reads it and can submit the version again.`}
          </p>
        </div>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" isBusy={rejecting.isPending}>
            Reject
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
