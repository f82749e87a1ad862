import { Copy, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { admin } from '../data/client.ts'
import { useLostConnection, useProject } from '../data/project.tsx'
import { useWrite } from '../data/write.ts'
import { IconButton } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { Menu } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'
import { counted, t } from '../words/words.ts'

interface Template {
  id: number
  title: string
  projects_count: number
}

interface MenuProps {
  template: Template
  label: string
  onDeleted?(): void
}

/** The actions on a whole template, in the list and on its page. */
export function TemplateMenu({ template, label, onDeleted }: MenuProps) {
  const refusal = useLostConnection()
  const duplicate = useDuplicate()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Menu
        label={label}
        entries={() => [
          { label: t('Duplicate'), icon: <Copy />, refusal, onSelect: () => duplicate(template) },
          'line',
          {
            label: t('Delete…'),
            icon: <Trash2 />,
            isDanger: true,
            refusal,
            onSelect: () => setDeleting(true),
          },
        ]}
        trigger={(props) => <IconButton {...props} label={label} icon={<Ellipsis />} />}
      />
      {isDeleting && (
        <DeleteTemplate template={template} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </>
  )
}

/** Duplicates a template and opens the copy. */
function useDuplicate() {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const duplicating = useWrite(`${admin}/master-boards/duplicate`, {
    failed: t('The template was not duplicated'),
  })
  return ({ id, title }: Template) =>
    duplicating.mutate(
      { id, title: t('{title} (copy)', { title: [...title].slice(0, 240).join('') }) },
      {
        onSuccess: ({ board }) => {
          navigate(`${base}/templates/${board.id}`)
          showToast(t('Duplicated “{title}”', { title }))
        },
      },
    )
}

interface DeleteProps {
  template: Template
  onClose(): void
  onDeleted: (() => void) | undefined
}

function DeleteTemplate({ template, onClose, onDeleted }: DeleteProps) {
  const { title, projects_count: count } = template
  const { mutate: deleteTemplate } = useWrite(`${admin}/master-boards/delete`, {
    failed: t('The template was not deleted'),
    done: ({ id }) =>
      showToast(t('Deleted the template “{title}”', { title }), () => restoreTemplate({ id })),
  })
  const { mutate: restoreTemplate } = useWrite(`${admin}/master-boards/restore`, {
    failed: t('The template was not restored'),
  })
  const remove = () => {
    deleteTemplate({ id: template.id })
    onDeleted?.()
  }
  return (
    <Confirm
      title={t('Delete template')}
      action={t('Delete template')}
      isDanger
      typed={count > 0 ? t('delete') : undefined}
      onClose={onClose}
      onConfirm={remove}
    >
      <p>{t('“{title}” is deleted with its groups and cards. You can restore it for 30 days.', { title })}</p>
      <p>
        {count > 0
          ? counted(count, {
              one: 'Its copies stay in {count} project as ordinary boards and get no more rollouts.',
              other: 'Its copies stay in {count} projects as ordinary boards and get no more rollouts.',
            })
          : t('No project has it.')}
      </p>
    </Confirm>
  )
}
