import { Check, X } from 'lucide-react'
import { useState } from 'react'
import { areAtFields } from '../../data/at-fields.ts'
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
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import type { ThemeVersion } from '../types.ts'
import { Campaigns } from './campaigns.tsx'
import { Published } from './published.tsx'
import './page.css'
import { Form } from '../../ui/form.tsx'

export default function ThemeReviewsPage() {
  return (
    <Page title={t('Themes')}>
      <h2 className="reviews-heading">{t('Waiting for review')}</h2>
      <Queue />
      <Campaigns />
      <Published />
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
      <Reading query={{ ...query, data: versions }} failed={t('The reviews could not be loaded')}>
        {(waiting) =>
          waiting.length === 0 ? (
            <Empty title={t('No reviews waiting')}>
              {t('Versions that projects submit appear here until you approve or reject them.')}
            </Empty>
          ) : (
            <>
              <p className="page-note">
                {t(
                  'Once you approve a version, its project can publish it to everyone. Rejected versions go back with your reason.',
                )}
              </p>
              <ul className="reviews" aria-label={t('Versions to review')}>
                {waiting.map((version) => (
                  <Review key={version.version_id} version={version} />
                ))}
              </ul>
            </>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}

function Review({ version }: { version: ThemeVersion }) {
  const { version_id, project_name: project, submitted_at } = version
  const name = `${version.theme_name} ${version.version}`
  const [isRejecting, setRejecting] = useState(false)
  const approving = useWrite(`${themes}/versions/approve`, { failed: t('The version was not approved') })
  const approve = () =>
    approving.mutate(
      { version_id },
      { onSuccess: () => showToast(t('Approved {name}. {project} can publish it now.', { name, project })) },
    )
  return (
    <li>
      <div className="reviews-words">
        <h2 className="truncate" dir="auto">
          {name}
        </h2>
        <p className="truncate">
          <span dir="auto">{project}</span>
          {submitted_at !== null && <> · {rich('submitted {ago}', { ago: <Ago at={submitted_at} /> })}</>}
        </p>
      </div>
      <div className="reviews-actions">
        <Button icon={<X />} onClick={() => setRejecting(true)}>
          {t('Reject…')}
          <span className="visually-hidden"> {name}</span>
        </Button>
        <Button icon={<Check />} isBusy={approving.isPending} onClick={approve}>
          {t('Approve')}
          <span className="visually-hidden"> {name}</span>
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
  const rejecting = useWrite(`${themes}/versions/reject`, {
    failed: t('The version was not rejected'),
    handles: areAtFields('reason'),
  })
  const submit = () => {
    rejecting.mutate(
      { version_id: id, reason },
      {
        onSuccess() {
          draft.clear()
          showToast(t('Rejected {name}', { name }))
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
    <Dialog title={t('Reject {name}', { name })} onClose={close}>
      <Form isBusy={rejecting.isPending} onSubmit={submit}>
        <FieldArea
          label={t('Reason')}
          hint={
            draft.isFound
              ? t('Unsaved draft')
              : t('{project} reads it and can submit the version again.', { project })
          }
          error={fieldErrors(rejecting.error)['reason']}
          autoFocus
          required
          rows={4}
          value={reason}
          onChange={(event) => draft.write(event.target.value)}
        />
        <DialogActions>
          <Button type="submit" look="danger" isBusy={rejecting.isPending}>
            {t('Reject')}
          </Button>
          <Button onClick={close}>{t('Cancel')}</Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
