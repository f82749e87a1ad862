import { useState } from 'react'
import { useLocation } from 'wouter'
import { offersIn } from '../../billing/offers.ts'
import { areAtFields } from '../../data/at-fields.ts'
import { admin, identity, platforms } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { useDraft } from '../../drafts/drafts.ts'
import { usePlatforms } from '../../projects/platforms.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { t } from '../../words/words.ts'
import '../choices.css'
import { Form } from '../../ui/form.tsx'
import { LabelField } from '../label-field.tsx'
import { labelsIn } from '../label-words.ts'
import { TemplatesPreview } from '../templates-preview.tsx'

/** Creates a project, and says beforehand which templates it receives. */
export function NewProject({ onClose }: { onClose(): void }) {
  const { base, me } = useProject()
  const [, navigate] = useLocation()
  // With several platforms, there is nothing to preview until one is chosen.
  const { data: known } = useRead(`${identity}/platforms/list`, {})
  const ofAll = usePlatforms(me.user.superadmin_platform_id === null)
  const [chosen, setPlatform] = useState<number>()
  const platform = chosen ?? [...ofAll.keys()][0]
  const name = useDraft('name of a new project')
  const [products, setProducts] = useState<readonly string[]>([])
  const [labels, setLabels] = useState('')
  const { data } = useRead(`${platforms}/plans/list`)
  const creating = useWrite(`${admin}/projects/create`, {
    failed: t('The project was not created'),
    handles: areAtFields('name'),
  })
  const close = () => {
    name.discard()
    onClose()
  }
  const submit = () => {
    creating.mutate(
      {
        name: name.text ?? '',
        tool_keys: [...products],
        labels: labelsIn(labels),
        platform_id: platform ?? null,
      },
      {
        onSuccess({ project }) {
          name.clear()
          navigate(`${base}/projects/${project.id}`)
        },
      },
    )
  }
  const toggle = (product: string) =>
    setProducts((before) =>
      before.includes(product) ? before.filter((one) => one !== product) : [...before, product],
    )
  return (
    <Dialog title={t('New project')} onClose={close}>
      <Form isBusy={creating.isPending} onSubmit={submit}>
        <Field
          label={t('Project name')}
          autoFocus
          required
          value={name.text ?? ''}
          error={fieldErrors(creating.error)['name']}
          hint={name.isFound ? t('Unsaved draft') : t("A project is one customer's workspace.")}
          onChange={(event) => name.write(event.target.value)}
        />
        {ofAll.size > 0 && (
          <FieldSelect
            label={t('Platform')}
            value={platform}
            onChange={(event) => setPlatform(Number(event.target.value))}
          >
            {[...ofAll].map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </FieldSelect>
        )}
        <fieldset className="choices">
          <legend>{t('Products')}</legend>
          {offersIn(data?.plans ?? []).map(({ product, name: title }) => (
            <label key={product}>
              <input type="checkbox" checked={products.includes(product)} onChange={() => toggle(product)} />
              {title}
            </label>
          ))}
        </fieldset>
        <LabelField label={t('Labels (optional)')} value={labels} onChange={setLabels} />
        {known && (
          <TemplatesPreview
            products={products}
            platform={platform ?? null}
            none={t('None. It starts without boards.')}
          />
        )}
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={creating.isPending}>
            {t('Create project')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
