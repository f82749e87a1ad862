import { Download } from 'lucide-react'
import { useLostConnection } from '../../../data/project.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { t } from '../../../words/words.ts'
import type { Rollout } from '../types.ts'
import { useDownload } from './csv.ts'

export function DownloadResults({ rollout }: { rollout: Rollout }) {
  const refusal = useLostConnection()
  const { download, isDownloading } = useDownload(rollout)
  return (
    <IconButton
      label={t('Download CSV')}
      icon={<Download />}
      refusal={isDownloading ? t('It is being downloaded.') : refusal}
      onClick={() => void download()}
    />
  )
}
