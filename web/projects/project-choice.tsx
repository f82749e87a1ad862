import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { identity } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { FieldPicker } from '../ui/field-picker.tsx'
import { t } from '../words/words.ts'

const most = 50

/** A field that chooses one of all projects; the first one until another is chosen. */
export function useProjectChoice() {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<{ id: number; label: string }>()
  const input = { limit: most, ...(text.trim() !== '' && { query: text.trim() }) }
  const { data, isPlaceholderData } = useRead(`${identity}/projects/list`, input, {
    placeholderData: keepPreviousData,
  })
  const found = (data?.projects ?? []).map(({ id, name }) => ({ id, label: name }))
  const project = chosen ?? found[0]
  // The chosen one has a name even if the list has others.
  const choices = project && !found.some(({ id }) => id === project.id) ? [...found, project] : found
  const picker = (
    <FieldPicker<number>
      label={t('Project')}
      choices={choices}
      chosen={project?.id}
      onSearch={setText}
      isReading={data === undefined || isPlaceholderData}
      note={data?.next_cursor ? t('More projects match. Type to narrow it down.') : undefined}
      onChoose={(id) => setChosen(choices.find((one) => one.id === id))}
    />
  )
  return { projectId: project?.id, picker }
}
