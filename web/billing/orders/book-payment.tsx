import { type FormEvent, useState } from 'react'
import { inGroups } from '#billing/reference.ts'
import { platforms } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { showToast } from '../../ui/toast.tsx'
import { amountFrom } from '../amount.ts'
import type { Order } from '../types.ts'

/** Asks for the amount on the bank statement instead of showing it, so that a wrong payment is noticed. */
export function BookPayment({ order, onClose }: { order: Order; onClose(): void }) {
  const { reference, currency, project_name: project } = order
  const [typed, setTyped] = useState('')
  const [isUnreadable, setUnreadable] = useState(false)
  const booking = useWrite(`${platforms}/orders/book-payment`, { failed: 'The payment was not booked' })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const amount = amountFrom(typed, currency)
    setUnreadable(amount === undefined)
    if (amount === undefined) return
    booking.mutate(
      { reference, amount },
      {
        onSuccess() {
          showToast(`Booked the payment of ${project}`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={`Book payment ${inGroups(reference)}`} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Field
          label={`Amount received (${currency.toUpperCase()})`}
          inputMode="decimal"
          autoFocus
          autoComplete="off"
          value={typed}
          hint={`As on the bank statement. This starts or renews the subscription of ${project}.`}
          error={isUnreadable ? 'Enter an amount such as 490.00.' : fieldErrors(booking.error)['amount']}
          onChange={(event) => setTyped(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={booking.isPending}>
            Book payment
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
