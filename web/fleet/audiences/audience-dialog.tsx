import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { areAtFields } from '../../data/at-fields.ts'
import { admin, type Output } from '../../data/client.ts'
import { fieldErrors } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { usePlatforms } from '../../projects/platforms.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { useSettled } from '../../ui/settled.ts'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { addressOf, changed, cleared, type Filter, filterIn } from './filter.ts'
import { FilterFields } from './filter-fields.tsx'
import { leftOutInWords } from './filter-words.ts'
import './audiences.css'
import { Form } from '../../ui/form.tsx'

export type Audience = Output<`${typeof admin}/audiences/list`>['audiences'][number]

interface Props {
  /** The audience to change, or the filter of a new one. */
  audience?: Audience | undefined
  filter?: Filter
  /** The platform of a new one, unless another is chosen. */
  platform?: number | undefined
  /** Where the selected projects are: an audience has projects of one platform only. */
  projects?: readonly { id: number; platform_id: number }[]
  onClose(): void
}

/** Saves a filter of projects under a name. */
export function AudienceDialog({
  audience,
  filter: initial = {},
  platform: usual,
  projects = [],
  onClose,
}: Props) {
  const { me } = useProject()
  const platforms = usePlatforms(me.user.superadmin_platform_id === null)
  const [chosen, setPlatform] = useState<number>()
  const platform = audience?.platform_id ?? chosen ?? usual ?? [...platforms.keys()][0] ?? null
  const [name, setName] = useState(audience?.name ?? '')
  const [address, setAddress] = useState(() => addressOf(audience ?? initial))
  const options = {
    failed: t('The audience was not saved'),
    done: () => showToast(t('Audience saved')),
    handles: areAtFields('name'),
  }
  const creating = useWrite(`${admin}/audiences/create`, options)
  const updating = useWrite(`${admin}/audiences/update`, options)
  const given = (parameter: string) => address.get(parameter) ?? ''
  const change = (values: Record<string, string>) => setAddress((before) => changed(before, values))
  const wanted = filterIn(given)
  const elsewhere = new Set(
    projects.flatMap(({ id, platform_id }) => (platforms.size > 0 && platform_id !== platform ? id : [])),
  )
  const picked = wanted.project_ids?.filter((id) => !elsewhere.has(id))
  const leftOut = (wanted.project_ids?.length ?? 0) - (picked?.length ?? 0)
  const submit = () => {
    const filter = { ...wanted, ...(picked && { project_ids: picked }) }
    if (audience) updating.mutate({ id: audience.id, name, ...cleared, ...filter }, { onSuccess: onClose })
    else creating.mutate({ name, platform_id: platform, ...filter }, { onSuccess: onClose })
  }
  return (
    <Dialog title={audience ? t('Edit audience') : t('New audience')} onClose={onClose}>
      <Form isBusy={creating.isPending || updating.isPending} onSubmit={submit}>
        <Field
          label={t('Name')}
          autoFocus
          required
          maxLength={255}
          value={name}
          error={fieldErrors(creating.error ?? updating.error)['name']}
          hint={t('An audience updates as projects start or stop matching.')}
          onChange={(event) => setName(event.target.value)}
        />
        {!audience && platforms.size > 0 && (
          <FieldSelect
            label={t('Platform')}
            value={platform ?? ''}
            onChange={(event) => setPlatform(Number(event.target.value))}
          >
            {[...platforms].map(([id, title]) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </FieldSelect>
        )}
        <div className="audience-fields">
          <Field
            label={t('Search')}
            type="search"
            placeholder={t('Name, id, label or email')}
            maxLength={255}
            value={given('q')}
            onChange={(event) => change({ q: event.target.value })}
          />
          <FilterFields given={given} change={change} />
        </div>
        {leftOut > 0 && <p>{leftOutInWords(leftOut)}</p>}
        <Matching address={useSettled(address.toString())} platform={platform} />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={creating.isPending || updating.isPending}
            refusal={picked?.length === 0 ? t('None of the projects is on this platform.') : undefined}
          >
            {t('Save audience')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** How many projects match. */
function Matching({ address, platform }: { address: string; platform: number | null }) {
  const parameters = new URLSearchParams(address)
  const filter = filterIn((parameter) => parameters.get(parameter) ?? '')
  const { data } = useRead(
    `${admin}/projects/list`,
    { ...filter, platform_id: platform, limit: 1 },
    { placeholderData: keepPreviousData },
  )
  const count = data?.count
  return (
    <p className="audience-count numbers" role="status">
      {count != null && counted(count, { one: '{count} project matches', other: '{count} projects match' })}
    </p>
  )
}
