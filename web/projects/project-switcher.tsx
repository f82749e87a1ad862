import { ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { identity } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { useRead } from '../data/read.ts'
import { Picker } from '../ui/picker.tsx'
import { t } from '../words/words.ts'
import './project-switcher.css'

/** The project's name, which opens a list of all projects. */
export function ProjectSwitcher() {
  const { id, me } = useProject()
  const [, navigate] = useLocation()
  const [isOpened, setOpened] = useState(false)
  const [text, setText] = useState('')
  const input = { limit: 50, ...(text.trim() !== '' && { query: text.trim() }) }
  const { data } = useRead(`${identity}/projects/list`, input, { enabled: isOpened })
  return (
    <Picker
      label={t('Switch to a project')}
      choices={(data?.projects ?? []).map((project) => ({ id: project.id, label: project.name }))}
      chosen={[id]}
      onSearch={setText}
      onChoose={(chosen) => navigate(`/p/${chosen}/boards`)}
      trigger={(props) => (
        <button
          type="button"
          className="project-switcher"
          {...props}
          onClick={() => {
            setOpened(true)
            setText('')
            props.onClick()
          }}
        >
          <span className="project-mark" aria-hidden="true">
            {[...(me.current_project?.name ?? '?')][0]}
          </span>
          <span className="truncate" dir="auto">
            {me.current_project?.name}
          </span>
          <ChevronsUpDown aria-hidden="true" />
        </button>
      )}
    />
  )
}
