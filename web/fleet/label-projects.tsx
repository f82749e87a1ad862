import { useState } from 'react'
import { admin } from '../data/client.ts'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { showToast } from '../ui/toast.tsx'
import { counted, t } from '../words/words.ts'
import { LabelField } from './label-field.tsx'
import { hasTooLong, labelsBack, labelsIn } from './label-words.ts'
import { PartsDone } from './parts-done.tsx'
import { inParts } from './selection.ts'
import './choices.css'
import { Form } from '../ui/form.tsx'
import type { FleetProject } from './types.ts'

/** Gives labels to the projects and takes others from them, part by part. */
export function LabelProjects({ projects, onClose }: { projects: readonly FleetProject[]; onClose(): void }) {
  const [added, setAdded] = useState('')
  const [removed, setRemoved] = useState<readonly string[]>([])
  const present = Map.groupBy(
    projects.flatMap(({ labels }) => labels),
    (label) => label,
  )
  const [done, setDone] = useState<number>()
  const labeling = useWrite(`${admin}/projects/label`, { failed: t('The labels were not changed') })
  const undoing = useWrite(`${admin}/projects/label`, { failed: t('The change was not undone') })
  const submit = async () => {
    const change = { add: labelsIn(added), remove: [...removed] }
    const labeled: FleetProject[] = []
    setDone(0)
    for (const part of inParts(projects)) {
      const ids = part.map(({ id }) => id)
      if (!(await labeling.mutateAsync({ ids, ...change }).catch(() => undefined))) break
      labeled.push(...part)
      setDone(labeled.length)
    }
    setDone(undefined)
    const undo = async () => {
      for (const { ids, ...back } of labelsBack(labeled, change))
        for (const part of inParts(ids)) await undoing.mutateAsync({ ids: part, ...back })
    }
    if (labeled.length > 0)
      showToast(
        counted(labeled.length, {
          one: 'Changed labels of {count} project',
          other: 'Changed labels of {count} projects',
        }),
        () => void undo().catch(() => undefined),
      )
    if (labeled.length === projects.length) onClose()
  }
  const toggle = (label: string) =>
    setRemoved((before) =>
      before.includes(label) ? before.filter((one) => one !== label) : [...before, label],
    )
  return (
    <Dialog
      title={counted(projects.length, {
        one: 'Labels of {count} project',
        other: 'Labels of {count} projects',
      })}
      onClose={onClose}
    >
      <Form isBusy={done !== undefined} onSubmit={submit}>
        <LabelField label={t('Add labels')} autoFocus value={added} onChange={setAdded} />
        {present.size > 0 && (
          <fieldset className="choices">
            <legend>{t('Remove labels')}</legend>
            {[...present].map(([label, times]) => (
              <label key={label}>
                <input type="checkbox" checked={removed.includes(label)} onChange={() => toggle(label)} />
                <bdi>{label}</bdi>
                <span className="numbers">
                  {counted(times.length, { one: 'in {count} project', other: 'in {count} projects' })}
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {done !== undefined && <PartsDone done={done} all={projects.length} />}
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={done !== undefined}
            refusal={
              labelsIn(added).length + removed.length === 0
                ? t('Add or remove a label first.')
                : hasTooLong(added)
                  ? t('A label can have at most 50 characters.')
                  : undefined
            }
          >
            {t('Change labels')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
