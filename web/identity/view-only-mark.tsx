import { Eye } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { t } from '../words/words.ts'
import { useMay } from './permissions.ts'

/** In the header of a page, for people who may only look. */
export const ViewOnlyMark = () =>
  !useMay('work') && (
    <span data-tip={viewOnly}>
      <Badge hue="gray" icon={<Eye aria-hidden="true" />}>
        {t('View only')}
      </Badge>
    </span>
  )
