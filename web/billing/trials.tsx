import { Plus } from 'lucide-react'
import { useState } from 'react'
import { areAtFields } from '../data/at-fields.ts'
import { platforms } from '../data/client.ts'
import { fieldErrors } from '../data/failure.ts'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { dayInText } from '../ui/time.tsx'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import type { Offer } from './offers.ts'
import type { Subscription } from './types.ts'

export function StartTrial({ offer }: { offer: Offer }) {
  const starting = useWrite(`${platforms}/subscriptions/start-trial`, {
    failed: t('The trial was not started'),
    handles: areAtFields('days'),
  })
  return (
    <TrialDialog
      words={t('Start trial')}
      title={t('Start a trial of {product}', { product: offer.name })}
      usual={14}
      error={starting.error}
      isBusy={starting.isPending}
      onSubmit={(days, close) =>
        starting.mutate(
          { product: offer.product, days },
          { onSuccess: announceEnd((day) => t('The trial ends {day}', { day }), close) },
        )
      }
    />
  )
}

export function ExtendTrial({ subscription }: { subscription: Subscription }) {
  const extending = useWrite(`${platforms}/subscriptions/extend-trial`, {
    failed: t('The trial was not extended'),
    handles: areAtFields('days'),
  })
  return (
    <TrialDialog
      words={t('Extend trial')}
      title={t('Extend trial')}
      usual={7}
      hint={
        subscription.status === 'expired'
          ? t('Counted from today.')
          : t('Added to the current end date, {day}.', { day: dayInText(subscription.trial_ends_at ?? '') })
      }
      error={extending.error}
      isBusy={extending.isPending}
      onSubmit={(days, close) =>
        extending.mutate(
          { id: subscription.id, days },
          { onSuccess: announceEnd((day) => t('The trial now ends {day}', { day }), close) },
        )
      }
    />
  )
}

const announceEnd =
  (words: (day: string) => string, close: () => void) =>
  ({ subscription }: { subscription: Subscription }) => {
    showToast(words(dayInText(subscription.trial_ends_at ?? '')))
    close()
  }

interface Props {
  words: string
  title: string
  usual: number
  hint?: string
  error: unknown
  isBusy: boolean
  onSubmit(days: number, close: () => void): void
}

/** A button for superadmins with billing, and the dialog for the number of days. */
function TrialDialog({ words, title, usual, hint, error, isBusy, onSubmit }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [days, setDays] = useState(String(usual))
  const close = () => setOpen(false)
  const submit = () => {
    onSubmit(Number(days), close)
  }
  return (
    <>
      <Button icon={<Plus />} onClick={() => setOpen(true)}>
        {words}
      </Button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          <Form isBusy={isBusy} onSubmit={submit}>
            <Field
              label={t('Days')}
              type="number"
              autoFocus
              required
              min={1}
              max={365}
              value={days}
              hint={hint}
              error={fieldErrors(error)['days']}
              onChange={(event) => setDays(event.target.value)}
            />
            <DialogActions>
              <Button onClick={close}>{t('Cancel')}</Button>
              <Button type="submit" look="primary" isBusy={isBusy}>
                {words}
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </>
  )
}
