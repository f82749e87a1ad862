import { area } from '../data/client.ts'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Choose } from '../ui/choose.tsx'
import { ColorField } from '../ui/color-field.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { IconField } from '../ui/icon-field.tsx'
import { t } from '../words/words.ts'
import type { NamedBoard } from './types.ts'

const doneChoices = { close: t('Are marked Done'), keep: t('Keep their status') }

interface Props {
  board: NamedBoard
  refusal: string | undefined
  onClose(): void
}

/** A dialog with the icon and color of a board, and what its done groups do. */
export default function BoardSettings({ board, refusal, onClose }: Props) {
  const { mutate } = useWrite(`${area}/boards/update`, { failed: t('The board was not changed') })
  const { id, icon, color, done_closes_cards: doneClosesCards } = board
  return (
    <Dialog title={t('Board settings')} onClose={onClose}>
      <dl className="fields">
        <IconField
          icon={icon}
          color={color}
          refusal={refusal}
          onChoose={(chosen) => mutate({ id, icon: chosen })}
        />
        <ColorField color={color} refusal={refusal} onChoose={(chosen) => mutate({ id, color: chosen })} />
        <Choose
          name={t('Cards moved to done groups')}
          refusal={refusal}
          shown={doneClosesCards ? doneChoices.close : doneChoices.keep}
          chosen={doneClosesCards ? 'close' : 'keep'}
          choices={Object.entries(doneChoices).map(([choice, label]) => ({ id: choice, label }))}
          onChoose={(chosen) => mutate({ id, done_closes_cards: chosen === 'close' })}
        />
      </dl>
      <DialogActions>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  )
}
