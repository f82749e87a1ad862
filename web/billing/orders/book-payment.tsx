import { useState } from 'react'
import { inGroups } from '#billing/reference.ts'
import { areAtFields } from '../../data/at-fields.ts'
import { platforms } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { amountFrom } from '../amount.ts'
import type { Order } from '../types.ts'

/** Asks for the amount on the bank statement instead of showing it, so that a wrong payment is noticed. */
export function BookPayment({ order, onClose }: { order: Order; onClose(): void }) {
  const { reference, currency, project_name: project } = order
  const [typed, setTyped] = useState('')
  const [isUnreadable, setUnreadable] = useState(false)
  const booking = useWrite(`${platforms}/orders/book-payment`, {
    failed: t('The payment was not booked'),
    handles: areAtFields('amount'),
  })
  const submit = () => {
    const amount = amountFrom(typed, currency)
    setUnreadable(amount === undefined)
    if (amount === undefined) return
    booking.mutate(
      { reference, amount },
      {
        onSuccess() {
          showToast(t('Booked the payment of {project}', { project }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={t('Book payment {reference}', { reference: inGroups(reference) })} onClose={onClose}>
      <Form isBusy={booking.isPending} onSubmit={submit} noValidate>
        <Field
          label={t('Amount received ({currency})', { currency: currency.toUpperCase() })}
          inputMode="decimal"
          autoFocus
          autoComplete="off"
          value={typed}
          hint={t('As on the bank statement. This starts or renews the subscription of {project}.', {
            project,
          })}
          error={isUnreadable ? t('Enter an amount such as 490.00.') : fieldErrors(booking.error)['amount']}
          onChange={(event) => setTyped(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={booking.isPending}>
            {t('Book payment')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
