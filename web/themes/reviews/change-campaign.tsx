import { useState } from 'react'
import { type Output, themes } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { usePages } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { areCampaignFields, CampaignFields, campaignInput } from '../campaign-fields.tsx'

interface Props {
  campaign: Output<`${typeof themes}/campaigns/list`>['campaigns'][number]
  name: string
  onClose(): void
}

/** Changes what a campaign tells projects: why, what instead, and until when. */
export function ChangeCampaign({ campaign, name, onClose }: Props) {
  const { version_id, reason, replacement, deadline } = campaign
  const before = {
    reason,
    replacement: replacement === null ? '' : String(replacement.version_id),
    deadline: deadline.slice(0, 10),
  }
  const [words, setWords] = useState(before)
  const published = usePages(`${themes}/versions/list`, { theme_status: 'published' })
  const changing = useWrite(`${themes}/campaigns/update`, {
    failed: t('The campaign was not changed'),
    handles: areCampaignFields,
  })
  const others = (published.data?.pages.flatMap((page) => page.versions) ?? []).filter(
    (one) => one.version_id !== version_id && one.version_id !== replacement?.version_id,
  )
  const submit = () => {
    changing.mutate(
      { version_id, ...campaignInput(words) },
      {
        onSuccess() {
          showToast(t('Changed the campaign for {name}', { name }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={t('Change the campaign for {name}', { name })} onClose={onClose}>
      <Form isBusy={changing.isPending} onSubmit={submit}>
        <CampaignFields
          words={words}
          others={replacement === null ? others : [replacement, ...others]}
          deadlineHint={t(
            'The cards of the projects that still use it change, except for what a project changed itself.',
          )}
          errors={fieldErrors(changing.error)}
          onChange={(values) => setWords((last) => ({ ...last, ...values }))}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={changing.isPending}>
            {t('Save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
