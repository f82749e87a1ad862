import { Palette } from 'lucide-react'
import { useArranging } from '../board/group-actions.ts'
import { Description } from '../card/description.tsx'
import { useLostConnection } from '../data/project.tsx'
import type { MasterBoard } from '../data/types.ts'
import { toolName } from '../shell/tools.ts'
import { Absent, Choose } from '../ui/choose.tsx'
import { FieldText } from '../ui/field-text.tsx'
import { Panel } from '../ui/panel.tsx'
import { colors, Dot } from '../ui/signs.tsx'
import { ActiveField } from './active-field.tsx'

const noColor = ''

export default function SettingsPanel({ board, onClose }: { board: MasterBoard; onClose(): void }) {
  const refusal = useLostConnection()
  const { updateBoard, saveBoard } = useArranging(board.id, 'master')
  const set = (fields: Partial<MasterBoard>) => updateBoard({ id: board.id, ...fields })
  const word = (color: string) => color.charAt(0).toUpperCase() + color.slice(1)
  return (
    <Panel label="Settings" heading={<h2>Settings</h2>} onClose={onClose}>
      <dl className="fields">
        <ActiveField
          isActive={board.is_active}
          refusal={refusal}
          onChoose={(is_active) => set({ is_active })}
        />
        <Choose
          name="Colour"
          refusal={refusal}
          shown={
            board.color === null ? (
              <Absent icon={<Palette />}>None</Absent>
            ) : (
              <>
                <Dot color={board.color} /> {word(board.color)}
              </>
            )
          }
          chosen={board.color ?? noColor}
          choices={[
            { id: noColor, label: 'None' },
            ...colors.map((color) => ({ id: color, label: word(color), icon: <Dot color={color} /> })),
          ]}
          onChoose={(color) => set({ color: color === noColor ? null : color })}
        />
        <FieldText name="Icon" value={board.icon} refusal={refusal} onSave={(icon) => set({ icon })} />
        <div>
          <dt>Tool</dt>
          <dd>
            <span className="field-value field-still">
              {board.tool_key === null ? 'None: for all projects' : toolName(board.tool_key)}
            </span>
          </dd>
        </div>
      </dl>
      <Description
        html={board.description}
        refusal={refusal}
        onSave={(description) => saveBoard({ id: board.id, description })}
      />
    </Panel>
  )
}
