import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { areAtFields } from '../data/at-fields.ts'
import { admin, area, clientOf } from '../data/client.ts'
import { fieldErrors } from '../data/failure.ts'
import { useProject } from '../data/project.tsx'
import { useRead } from '../data/read.ts'
import { useWrite } from '../data/write.ts'
import { useDraft } from '../drafts/drafts.ts'
import { usePlatforms } from '../projects/platforms.ts'
import { useProjectChoice } from '../projects/project-choice.tsx'
import { toolName } from '../projects/tools.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, FieldSelect } from '../ui/field.tsx'
import { FieldPicker } from '../ui/field-picker.tsx'
import { Form } from '../ui/form.tsx'
import { OptionalSign } from '../ui/sign.tsx'
import { counted, t } from '../words/words.ts'

export function NewTemplate({ onClose }: { onClose(): void }) {
  const { base, me } = useProject()
  const [, navigate] = useLocation()
  const ofAll = usePlatforms(me.user.superadmin_platform_id === null)
  const [chosen, setPlatform] = useState<number>()
  const platform = chosen ?? [...ofAll.keys()][0]
  const title = useDraft('title of a new template')
  const description = useDraft('description of a new template')
  const [tool, setTool] = useState('')
  const { data: reach } = useRead(
    `${admin}/products/list`,
    { platform_id: platform ?? null },
    { refetchOnMount: 'always' },
  )
  const close = () => {
    for (const draft of [title, description]) draft.discard()
    onClose()
  }
  const creating = useWrite(`${admin}/master-boards/create`, {
    failed: t('The template was not created'),
    handles: areAtFields('title', 'description', 'tool_key'),
  })
  const errors = fieldErrors(creating.error)
  const submit = () => {
    creating.mutate(
      {
        title: title.text ?? '',
        description: description.text || null,
        tool_key: tool || null,
        platform_id: platform ?? null,
      },
      {
        onSuccess({ board }) {
          for (const draft of [title, description]) draft.clear()
          navigate(`${base}/templates/${board.id}`)
        },
      },
    )
  }
  return (
    <Dialog title={t('New template')} onClose={close}>
      <Form isBusy={creating.isPending} onSubmit={submit}>
        <Field
          label={t('Title')}
          autoFocus
          required
          value={title.text ?? ''}
          error={errors['title']}
          hint={title.isFound ? t('Unsaved draft') : undefined}
          onChange={(event) => title.write(event.target.value)}
        />
        <Field
          label={t('Description')}
          value={description.text ?? ''}
          error={errors['description']}
          hint={description.isFound ? t('Unsaved draft') : undefined}
          onChange={(event) => description.write(event.target.value)}
        />
        <FieldSelect
          label={t('Product')}
          value={tool}
          error={errors['tool_key']}
          hint={t("Only projects with this product receive it. You can't change it later.")}
          onChange={(event) => setTool(event.target.value)}
        >
          <option value="">
            {reach
              ? counted(reach.projects_count, {
                  one: 'All projects ({count} project)',
                  other: 'All projects ({count} projects)',
                })
              : t('All projects')}
          </option>
          {reach?.products.map(({ tool_key: key, name, projects_count: count }) => (
            <option key={key} value={key}>
              {counted(
                count,
                { one: '{product} ({count} project)', other: '{product} ({count} projects)' },
                { product: name ?? toolName(key) },
              )}
            </option>
          ))}
        </FieldSelect>
        {ofAll.size > 0 && (
          <FieldSelect
            label={t('Platform')}
            value={platform}
            onChange={(event) => setPlatform(Number(event.target.value))}
          >
            {[...ofAll].map(([platformId, name]) => (
              <option key={platformId} value={platformId}>
                {name}
              </option>
            ))}
          </FieldSelect>
        )}
        <DialogActions>
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" look="primary" isBusy={creating.isPending}>
            {t('Create template')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

/** Creates a template from a board of any project. */
export function TemplateFromBoard({ onClose }: { onClose(): void }) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const { projectId, picker } = useProjectChoice()
  const path = `${area}/boards/list` as const
  const { data } = useQuery({
    queryKey: [0, path, { projectId }],
    queryFn: () => clientOf(projectId).call(path),
    enabled: projectId !== undefined,
  })
  const [chosen, setChosen] = useState<number>()
  const [title, setTitle] = useState('')
  const creating = useWrite(`${admin}/master-boards/from-board`, {
    failed: t('The template was not created'),
  })
  const boards = data?.boards ?? []
  const boardId = boards.find(({ id }) => id === chosen)?.id ?? boards[0]?.id
  const submit = () => {
    if (boardId === undefined) return
    creating.mutate(
      { board_id: boardId, title: title.trim() || null },
      { onSuccess: ({ board }) => navigate(`${base}/templates/${board.id}`) },
    )
  }
  return (
    <Dialog title={t('Create template from board')} onClose={onClose}>
      <Form isBusy={creating.isPending} onSubmit={submit}>
        {picker}
        <FieldPicker<number>
          label={t('Board')}
          choices={boards.map(({ id, title: label, icon, color }) => ({
            id,
            label,
            icon: <OptionalSign icon={icon} color={color} />,
          }))}
          chosen={boardId}
          onChoose={(id) => setChosen(id)}
        />
        <Field
          label={t('Template title')}
          placeholder={boards.find((board) => board.id === boardId)?.title}
          maxLength={255}
          value={title}
          hint={t(
            "Copies its groups and cards without assignees, dates or comments. The board doesn't change.",
          )}
          onChange={(event) => setTitle(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={creating.isPending}
            refusal={data && boardId === undefined ? t('This project has no boards.') : undefined}
          >
            {t('Create template')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
