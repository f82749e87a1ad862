import { Description } from '../../boards/description.tsx'
import { useArranging } from '../../boards/group/group-actions.ts'
import { useLostConnection } from '../../data/project.tsx'
import { usePlatforms } from '../../projects/platforms.ts'
import { toolName } from '../../projects/tools.ts'
import { ColorField } from '../../ui/color-field.tsx'
import { IconField } from '../../ui/icon-field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { t } from '../../words/words.ts'
import type { MasterBoard } from '../types.ts'
import { ActiveField } from './active-field.tsx'

export default function SettingsPanel({ board, onClose }: { board: MasterBoard; onClose(): void }) {
  const refusal = useLostConnection()
  const platforms = usePlatforms()
  const { updateBoard, saveBoard } = useArranging(board.id, 'master')
  const set = (fields: Partial<MasterBoard>) => updateBoard({ id: board.id, ...fields })
  return (
    <Panel label={t('Settings')} heading={<h2>{t('Settings')}</h2>} onClose={onClose}>
      <dl className="fields">
        <ActiveField
          isActive={board.is_active}
          refusal={refusal}
          onChoose={(is_active) => set({ is_active })}
        />
        <ColorField color={board.color} refusal={refusal} onChoose={(color) => set({ color })} />
        <IconField
          icon={board.icon}
          color={board.color}
          refusal={refusal}
          onChoose={(icon) => set({ icon })}
        />
        <div>
          <dt>{t('Product')}</dt>
          <dd>
            <span className="field-value field-still">
              {board.tool_key === null ? t('All projects') : toolName(board.tool_key)}
            </span>
          </dd>
        </div>
        {platforms.size > 0 && (
          <div>
            <dt>{t('Platform')}</dt>
            <dd>
              <span className="field-value field-still" dir="auto">
                {platforms.get(board.platform_id)}
              </span>
            </dd>
          </div>
        )}
      </dl>
      <Description
        place={`description of template ${board.id}`}
        of={board}
        refusal={refusal}
        onSave={(description) => saveBoard({ id: board.id, description })}
      />
    </Panel>
  )
}
