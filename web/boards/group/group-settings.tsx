import { Button } from '../../ui/button.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Description } from '../description.tsx'
import type { Group } from '../types.ts'

interface Props {
  group: Group
  refusal: string | undefined
  onColor(color: string | null): void
  onDescription(description: string | null): Promise<unknown>
  onClose(): void
}

/** The description and color of a group. */
export const GroupSettings = ({ group, refusal, onColor, onDescription, onClose }: Props) => (
  <Dialog title="Group settings" onClose={onClose}>
    <dl className="fields">
      <ColorField color={group.color} refusal={refusal} onChoose={onColor} />
    </dl>
    <Description
      place={`description of group ${group.id}`}
      of={group}
      refusal={refusal}
      onSave={onDescription}
    />
    <DialogActions>
      <Button onClick={onClose}>Close</Button>
    </DialogActions>
  </Dialog>
)
