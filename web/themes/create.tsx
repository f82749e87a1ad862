import { useState } from 'react'
import { areAtFields } from '../data/at-fields.ts'
import { themes } from '../data/client.ts'
import { fieldErrors } from '../data/failure.ts'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { t } from '../words/words.ts'

export function CreateTheme({ onClose }: { onClose(): void }) {
  const creating = useWrite(`${themes}/create`, {
    failed: t('The theme was not created'),
    handles: areAtFields('name'),
  })
  return (
    <OneFieldDialog
      title={t('New theme')}
      label={t('Name')}
      limit={255}
      action={t('Create theme')}
      error={fieldErrors(creating.error)['name']}
      isBusy={creating.isPending}
      onSubmit={(name) => creating.mutate({ name }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

export function CreateVersion(props: { theme: { id: number; name: string }; onClose(): void }) {
  const { theme, onClose } = props
  const creating = useWrite(`${themes}/versions/create`, {
    failed: t('The version was not created'),
    handles: areAtFields('version'),
  })
  return (
    <OneFieldDialog
      title={t('New version of {theme}', { theme: theme.name })}
      label={t('Version')}
      limit={50}
      hint={t('Such as 1.0 or 2026-11. It starts as a draft that only this project sees.')}
      action={t('Create version')}
      error={fieldErrors(creating.error)['version']}
      isBusy={creating.isPending}
      onSubmit={(version) => creating.mutate({ theme_id: theme.id, version }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

interface Props {
  title: string
  label: string
  limit: number
  hint?: string
  action: string
  error: string | undefined
  isBusy: boolean
  onSubmit(text: string): void
  onClose(): void
}

function OneFieldDialog({ title, label, limit, hint, action, error, isBusy, onSubmit, onClose }: Props) {
  const [text, setText] = useState('')
  const submit = () => {
    onSubmit(text)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <Form isBusy={isBusy} onSubmit={submit}>
        <Field
          label={label}
          autoFocus
          required
          maxLength={limit}
          hint={hint}
          value={text}
          error={error}
          onChange={(event) => setText(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {action}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
