import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { identity } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { useSettled } from '../ui/settled.ts'
import { t } from '../words/words.ts'
import {
  CommandDialog,
  type MenuProps,
  pageCommands,
  usePagesAsCommands,
  usualCommands,
} from './command-dialog.tsx'
import { operatorEntries } from './operator-entries.tsx'

/** Finds projects and pages of the operator's area. */
export default function OperatorCommandMenu(props: MenuProps) {
  const { sections, onShown, onClose } = props
  const [text, setText] = useState('')
  const pages = usePagesAsCommands(operatorEntries)
  const all = [...pageCommands(sections), ...pages, ...usualCommands(props)]
  const query = useSettled(text.trim())
  const { data } = useRead(`${identity}/projects/list`, { query, limit: 8 }, { enabled: query !== '' })
  const projects = (query === '' ? [] : (data?.projects ?? [])).map(({ id, name }) => ({
    id: `project ${id}`,
    section: t('Projects'),
    label: name,
    icon: <Building2 />,
    act: `/p/${id}/home`,
  }))
  return (
    <CommandDialog
      text={text}
      onText={setText}
      all={all}
      found={projects}
      onShown={onShown}
      onClose={onClose}
    />
  )
}
