import { useState } from 'react'
import { platforms } from '../../data/client.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast, undoTopic } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { PartsDone } from '../parts-done.tsx'
import { inParts } from '../selection.ts'
import type { ListedSubscription } from './page.tsx'

interface Props {
  trials: readonly ListedSubscription[]
  onClose(): void
  /** With the trials that are left after a failure, so that trying again extends none twice. */
  onDone(left: readonly ListedSubscription[]): void
}

/** Adds days to the trials, product by product and part by part. */
export function ExtendTrials({ trials, onClose, onDone }: Props) {
  const [days, setDays] = useState('14')
  const [done, setDone] = useState<number>()
  const extending = useWrite(`${platforms}/subscriptions/extend-trials`, {
    failed: t('The trials were not extended'),
  })
  const undoing = useWrite(`${platforms}/subscriptions/undo-extension`, {
    failed: t('The change was not undone'),
  })
  const submit = async () => {
    let count = 0
    let isWhole = true
    const asked = new Set<number>()
    const extensions: { ids: number[]; product: string }[] = []
    setDone(0)
    for (const [product, own] of Map.groupBy(trials, (one) => one.product))
      for (const part of inParts(own)) {
        const ids = part.map(({ project_id: id }) => id)
        const extended =
          isWhole &&
          (await extending.mutateAsync({ ids, product, days: Number(days) }).catch(() => undefined))
        if (!extended) isWhole = false
        else {
          count += extended.extended_count
          extensions.push({ ids, product })
          for (const { id } of part) asked.add(id)
          setDone(asked.size)
        }
      }
    setDone(undefined)
    const undo = async () => {
      let undone = 0
      for (const extension of extensions) undone += (await undoing.mutateAsync(extension)).undone_count
      if (undone < count) showToast(changedSince(count - undone), undefined, { topic: undoTopic })
    }
    if (count > 0 || isWhole)
      showToast(
        counted(count, { one: 'Extended {count} trial', other: 'Extended {count} trials' }),
        count > 0 ? () => void undo().catch(() => undefined) : undefined,
      )
    onDone(trials.filter(({ id }) => !asked.has(id)))
    if (isWhole) onClose()
  }
  return (
    <Dialog
      title={counted(trials.length, { one: 'Extend {count} trial', other: 'Extend {count} trials' })}
      onClose={onClose}
    >
      <Form isBusy={done !== undefined} onSubmit={submit}>
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
        {done !== undefined && <PartsDone done={done} all={trials.length} />}
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={done !== undefined}>
            {counted(trials.length, { one: 'Extend {count} trial', other: 'Extend {count} trials' })}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

const changedSince = (count: number): string =>
  counted(count, {
    one: 'Not undone: {count} trial was changed again in the meantime',
    other: 'Not undone: {count} trials were changed again in the meantime',
  })
