import { useState } from 'react'
import { areAtFields } from '../../data/at-fields.ts'
import { area } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import type { SavedPage, SavedView } from './saved-views.tsx'

interface Props {
  /** The view to edit; a new one is saved without it. */
  view?: SavedView
  page: SavedPage
  parameters: string
  /** Why it cannot be saved for the project. */
  shareRefusal: string | undefined
  onSaved?(view: SavedView): void
  onClose(): void
}

/** Asks for the name of a view, and for whom it is saved. */
export default function SaveView({ view, page, parameters, shareRefusal, onSaved, onClose }: Props) {
  const draft = useDraft(view ? `name of view ${view.id}` : 'name of a new view')
  const [isShared, setShared] = useState(view?.is_shared ?? false)
  const options = {
    failed: t('The view was not saved'),
    refreshes: [`${area}/views/list`],
    handles: areAtFields('name'),
  } as const
  const creating = useWrite(`${area}/views/create`, options)
  const updating = useWrite(`${area}/views/update`, options)
  const name = draft.text ?? view?.name ?? ''
  const submit = () => {
    const onSuccess = ({ view: saved }: { view: SavedView }) => {
      draft.clear()
      onClose()
      onSaved?.(saved)
      showToast(t('Saved “{name}”', { name: saved.name }))
    }
    if (view) updating.mutate({ id: view.id, name, is_shared: isShared }, { onSuccess })
    else creating.mutate({ name, parameters, is_shared: isShared, ...page }, { onSuccess })
  }
  const close = () => {
    draft.discard()
    onClose()
  }
  return (
    <Dialog title={view ? t('Edit view') : t('Save view')} onClose={close}>
      <Form isBusy={creating.isPending || updating.isPending} onSubmit={submit}>
        <Field
          label={t('Name')}
          autoFocus
          required
          value={name}
          hint={draft.isFound ? t('Unsaved draft') : undefined}
          error={fieldErrors(creating.error ?? updating.error)['name']}
          onChange={(event) => draft.write(event.target.value)}
        />
        <FieldSelect
          label={t('Visible to')}
          value={isShared ? 'project' : 'me'}
          hint={shareRefusal}
          onChange={(event) => setShared(event.target.value === 'project')}
        >
          <option value="me">{t('Only me')}</option>
          {shareRefusal === undefined && <option value="project">{t('Everyone in this project')}</option>}
        </FieldSelect>
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={creating.isPending || updating.isPending}>
            {t('Save')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
