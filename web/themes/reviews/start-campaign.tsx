import { type FormEvent, useState } from 'react'
import { themes } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { usePages } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { dateAt, midnight } from '../../ui/days.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, FieldArea, FieldSelect } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import type { ThemeVersion } from '../types.ts'

interface Props {
  version: ThemeVersion
  /** The versions that could replace it. */
  others: readonly ThemeVersion[]
  onClose(): void
}

const dayIn = (days: number) => dateAt(midnight(days))

/** Deprecates a version: why, what replaces it, and until when. */
export function StartCampaign({ version: { version_id, theme_id, ...version }, others, onClose }: Props) {
  const name = `${version.theme_name} ${version.version}`
  const draft = useDraft(`reason for deprecating version ${version_id}`)
  const newer = others.find((one) => one.theme_id === theme_id)
  const [replacement, setReplacement] = useState(newer === undefined ? '' : String(newer.version_id))
  const [deadline, setDeadline] = useState(() => dayIn(30))
  const usage = usePages(`${themes}/versions/usage`, { version_id }, { refetchOnMount: 'always' })
  const count = usage.isRefetching ? undefined : usage.data?.pages[0]?.projects_count
  const starting = useWrite(`${themes}/campaigns/create`, { failed: t('The version was not deprecated') })
  const restoring = useWrite(`${themes}/versions/restore`, { failed: t('The version was not restored') })
  const errors = fieldErrors(starting.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    starting.mutate(
      {
        version_id,
        reason: draft.text ?? '',
        replacement_id: replacement === '' ? null : Number(replacement),
        deadline,
      },
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
      <form onSubmit={submit}>
        <p className="campaign-affected">
          {count !== undefined &&
            counted(count, {
              one: '{count} project uses this version. It gets a card that closes by itself when it switches, and reminders before the deadline.',
              other:
                '{count} projects use this version. Each gets a card that closes by itself when it switches, and reminders before the deadline.',
            })}
        </p>
        <FieldArea
          label={t('Reason')}
          hint={draft.isFound ? t('Unsaved draft') : t('The projects that use it read this.')}
          error={errors['reason']}
          autoFocus
          required
          rows={3}
          maxLength={1000}
          value={draft.text ?? ''}
          onChange={(event) => draft.write(event.target.value)}
        />
        <FieldSelect
          label={t('Replacement')}
          error={errors['replacement_id']}
          value={replacement}
          onChange={(event) => setReplacement(event.target.value)}
        >
          <option value="">{t('No replacement')}</option>
          {others.map((one) => (
            <option key={one.version_id} value={one.version_id}>
              {one.theme_name} {one.version}
            </option>
          ))}
        </FieldSelect>
        <Field
          label={t('Deadline')}
          type="date"
          error={errors['deadline']}
          required
          min={dayIn(1)}
          value={deadline}
          onChange={(event) => setDeadline(event.target.value)}
        />
        <DialogActions>
          <Button type="submit" look="danger" isBusy={starting.isPending}>
            {t('Deprecate')}
          </Button>
          <Button onClick={close}>{t('Cancel')}</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
