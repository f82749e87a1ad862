import { useState } from 'react'
import { themes } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { usePages } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { areCampaignFields, CampaignFields, campaignInput, dayIn } from '../campaign-fields.tsx'
import type { ThemeVersion } from '../types.ts'

interface Props {
  version: ThemeVersion
  /** The versions that could replace it. */
  others: readonly ThemeVersion[]
  onClose(): void
}

/** Deprecates a version: why, what replaces it, and until when. */
export function StartCampaign({ version: { version_id, theme_id, ...version }, others, onClose }: Props) {
  const name = `${version.theme_name} ${version.version}`
  const draft = useDraft(`reason for deprecating version ${version_id}`)
  const newer = others.find((one) => one.theme_id === theme_id)
  const [chosen, setWords] = useState({
    replacement: newer === undefined ? '' : String(newer.version_id),
    deadline: dayIn(30),
  })
  const words = { ...chosen, reason: draft.text ?? '' }
  const usage = usePages(`${themes}/versions/usage`, { version_id }, { refetchOnMount: 'always' })
  const count = usage.isRefetching ? undefined : usage.data?.pages[0]?.projects_count
  const starting = useWrite(`${themes}/campaigns/create`, {
    failed: t('The version was not deprecated'),
    handles: areCampaignFields,
  })
  const restoring = useWrite(`${themes}/versions/restore`, { failed: t('The version was not restored') })
  const submit = () => {
    starting.mutate(
      { version_id, ...campaignInput(words) },
      {
        onSuccess() {
          draft.clear()
          showToast(t('Deprecated {name}', { name }), () => restoring.mutate({ version_id }))
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
    <Dialog title={t('Deprecate {name}', { name })} onClose={close}>
      <Form isBusy={starting.isPending} onSubmit={submit}>
        <p className="campaign-affected">
          {count !== undefined &&
            counted(count, {
              one: '{count} project uses this version. It gets a card that closes by itself when it switches, and reminders before the deadline.',
              other:
                '{count} projects use this version. Each gets a card that closes by itself when it switches, and reminders before the deadline.',
            })}
        </p>
        <CampaignFields
          words={words}
          others={others}
          {...(draft.isFound && { reasonHint: t('Unsaved draft') })}
          errors={fieldErrors(starting.error)}
          onChange={({ reason, ...values }) => {
            if (reason !== undefined) draft.write(reason)
            setWords((last) => ({ ...last, ...values }))
          }}
        />
        <DialogActions>
          <Button type="submit" look="danger" isBusy={starting.isPending}>
            {t('Deprecate')}
          </Button>
          <Button onClick={close}>{t('Cancel')}</Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
