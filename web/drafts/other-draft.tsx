import { Button } from '../ui/button.tsx'
import { t } from '../words/words.ts'

/** Offers the draft that another tab has left in the same place. */
export const OtherDraft = ({ onShow }: { onShow: (() => void) | undefined }) =>
  onShow && (
    <Button look="quiet" onClick={onShow}>
      {t('Show other draft')}
    </Button>
  )
