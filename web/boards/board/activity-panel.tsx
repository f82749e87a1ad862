import { identity } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { Panel } from '../../ui/panel.tsx'
import { t } from '../../words/words.ts'
import { ActivityList } from '../activity.tsx'
import type { Board } from '../types.ts'

export default function ActivityPanel({ board, onClose }: { board: Board; onClose(): void }) {
  const { data } = useRead(`${identity}/members/list`)
  return (
    <Panel label={t('Activity')} heading={<h2>{t('Activity')}</h2>} onClose={onClose}>
      <ActivityList board={board} members={data?.members ?? []} />
    </Panel>
  )
}
