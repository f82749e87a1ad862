import { Plus } from 'lucide-react'
import { useState } from 'react'
import { admin } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { toolName } from '../../projects/tools.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FieldSelect } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { TemplatesPreview } from '../templates-preview.tsx'
import type { FleetProject } from '../types.ts'

/** Gives the project a product after saying which templates it receives. */
export function AddProduct({ project }: { project: FleetProject }) {
  const lost = useLostConnection()
  const [isOpen, setOpen] = useState(false)
  const others = useOtherProducts(project)
  const refusal = lost ?? (others?.length === 0 ? t('It has every product.') : undefined)
  return (
    <>
      <Button icon={<Plus />} refusal={refusal} onClick={() => setOpen(true)}>
        {t('Add product…')}
      </Button>
      {isOpen && others && <Adding project={project} others={others} onClose={() => setOpen(false)} />}
    </>
  )
}

/** The products that the project does not have; undefined until they are known. */
function useOtherProducts({ platform_id, tool_keys: present }: FleetProject) {
  const { data } = useRead(`${admin}/products/list`, { platform_id }, { refetchOnMount: 'always' })
  return data?.products.filter(({ tool_key: key }) => !present.includes(key))
}

function Adding({
  project: { id, name, platform_id: platform },
  others,
  onClose,
}: {
  project: FleetProject
  others: NonNullable<ReturnType<typeof useOtherProducts>>
  onClose(): void
}) {
  const [chosen, setChosen] = useState<string>()
  const key = chosen ?? others[0]?.tool_key
  const nameOf = (wanted: string) =>
    others.find(({ tool_key }) => tool_key === wanted)?.name ?? toolName(wanted)
  const adding = useWrite(`${admin}/projects/add-product`, { failed: t('The product was not added') })
  const submit = () => {
    if (key === undefined) return
    adding.mutate(
      { id, tool_key: key },
      {
        onSuccess() {
          showToast(t('Added {product} to {project}', { product: nameOf(key), project: name }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={t('Add a product to {project}', { project: name })} onClose={onClose}>
      <Form isBusy={adding.isPending} onSubmit={submit}>
        <FieldSelect
          label={t('Product')}
          value={key ?? ''}
          onChange={(event) => setChosen(event.target.value)}
        >
          {others.map(({ tool_key: other }) => (
            <option key={other} value={other}>
              {nameOf(other)}
            </option>
          ))}
        </FieldSelect>
        {key !== undefined && (
          <TemplatesPreview
            products={[key]}
            platform={platform}
            projectId={id}
            none={t('None. It gains no boards.')}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={adding.isPending}>
            {t('Add product')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
