import { type FormEvent, useState } from 'react'
import { platforms } from '../../data/client.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import type { ListedSubscription } from './page.tsx'

interface Props {
  trials: readonly ListedSubscription[]
  onClose(): void
  onDone(): void
}

/** Adds days to the trials, one request for each product. */
export function ExtendTrials({ trials, onClose, onDone }: Props) {
  const [days, setDays] = useState('14')
  const extending = useWrite(`${platforms}/subscriptions/extend-trials`, {
    failed: t('The trials were not extended'),
  })
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    let count = 0
    for (const [product, own] of Map.groupBy(trials, (one) => one.product)) {
      const ids = own.map(({ project_id: id }) => id)
      const extended = await extending
        .mutateAsync({ ids, product, days: Number(days) })
        .catch(() => undefined)
      if (!extended) return
      count += extended.extended_count
    }
    showToast(counted(count, { one: 'Extended {count} trial', other: 'Extended {count} trials' }))
    onDone()
    onClose()
  }
  return (
    <Dialog
      title={counted(trials.length, { one: 'Extend {count} trial', other: 'Extend {count} trials' })}
      onClose={onClose}
    >
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={t('Days')}
          hint={t('Added to the current end date; to today where a trial has ended.')}
          type="number"
          min={1}
          max={365}
          required
          autoFocus
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={extending.isPending}>
            {counted(trials.length, { one: 'Extend {count} trial', other: 'Extend {count} trials' })}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
