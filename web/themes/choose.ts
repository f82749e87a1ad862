import { themes } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { useWrite } from '../data/write.ts'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'

interface Choosable {
  version_id: number
  theme_name: string
  version: string
}

/** Makes the project use a version; undo returns to the last one, unless that is deprecated. */
export function useChoose() {
  const { data } = useRead(`${themes}/versions/chosen`, {})
  const choosing = useWrite(`${themes}/versions/choose`, { failed: t('The theme was not changed') })
  const use = ({ version_id, theme_name, version }: Choosable, onSuccess?: () => void) => {
    const before = data?.version
    const undo = before?.theme_status === 'published' ? () => choosing.mutate(before) : undefined
    choosing.mutate(
      { version_id },
      {
        onSuccess() {
          showToast(t('This project now uses {theme}', { theme: `${theme_name} ${version}` }), undo)
          onSuccess?.()
        },
      },
    )
  }
  return { use, isPending: choosing.isPending }
}
