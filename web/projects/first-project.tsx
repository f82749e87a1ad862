import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { clientOf, identity } from '../data/client.ts'
import { failureOf, fieldErrors } from '../data/failure.ts'
import { Button } from '../ui/button.tsx'
import { Field, FieldSelect } from '../ui/field.tsx'
import { t } from '../words/words.ts'
import './first-project.css'

/** Lets a superadmin create the first project. */
export default function FirstProject() {
  const cache = useQueryClient()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const path = `${identity}/platforms/list` as const
  const { data } = useQuery({ queryKey: [0, path], queryFn: () => clientOf().call(path) })
  const platforms = data?.platforms ?? []
  const [chosen, setChosen] = useState<number>()
  const platformId = chosen ?? platforms[0]?.id ?? null
  const creating = useMutation({
    mutationFn: () => clientOf().call(`${identity}/projects/create`, { name, platform_id: platformId }),
    onSuccess({ project }) {
      cache.clear()
      navigate(`/p/${project.id}/boards`, { replace: true })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!creating.isPending) creating.mutate()
  }
  const problem =
    'name' in fieldErrors(creating.error)
      ? t('Enter a project name.')
      : creating.error && failureOf(creating.error).message
  return (
    <form onSubmit={submit} className="first-project" noValidate>
      <Field
        label={t('Project name')}
        hint={t("A project is one customer's workspace.")}
        autoFocus
        required
        maxLength={255}
        value={name}
        error={problem ?? undefined}
        onChange={(event) => setName(event.target.value)}
      />
      {platforms.length > 1 && (
        <FieldSelect
          label={t('Platform')}
          value={platformId ?? undefined}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {platforms.map(({ id, name: platform }) => (
            <option key={id} value={id}>
              {platform}
            </option>
          ))}
        </FieldSelect>
      )}
      <Button type="submit" look="primary" isBusy={creating.isPending}>
        {t('Create project')}
      </Button>
    </form>
  )
}
